/** Names of apertium's modes as steps between languages. */
import { languageTag } from '../../domain/language-tag.ts';
import type { Pair } from '../../domain/routes.ts';

/** The part after the underscore; other variants (spellings, experiments) are not targets. */
const variants: Readonly<Record<string, string>> = {
  BR: 'BR',
  valencia: 'valencia',
  aran: 'aranes',
  gascon: 'gascon',
};

/** Prototypes that mark nine words of ten as unknown. */
const prototypes = /^(eng|en)-(hbs|sh)|^(hbs|sh)[^-]*-(eng|en)$/;

/** Steps for which another route with as many steps is better; 1 by default. */
const weights: Readonly<Record<string, number>> = {
  // Through Catalan: "squadra", not "equipaggio".
  'es>it': 2,
  // Through Catalan: half the unknown words.
  'es>fr': 2,
};

export type Mode = Pair & { readonly mode: string };

/** One mode per step: of two packages for the same step, the one with the newer, three-letter names. */
export function readModes(listing: string): Mode[] {
  const found = new Map<string, Mode>();
  const names = [...new Set(listing.split(/\s+/))].filter((name) => name !== '').toSorted();
  for (const mode of names.map(readMode)) {
    const same = mode && found.get(`${mode.from}>${mode.to}`);
    if (mode && (same === undefined || mode.mode.length > same.mode.length)) found.set(`${mode.from}>${mode.to}`, mode);
  }
  return [...found.values()];
}

/** The step that a mode performs; undefined for modes that perform none (debugging, experiments, prototypes). */
function readMode(mode: string): Mode | undefined {
  const [source, target, ...rest] = mode.split('-');
  if (source === undefined || target === undefined || rest.length > 0 || prototypes.test(mode)) return undefined;
  const [from, to] = [tagOf(source), tagOf(target)];
  if (from === undefined || to === undefined || from === to) return undefined;
  return { mode, from, to, weight: weights[`${from}>${to}`] ?? 1 };
}

/** `oci_aran` is `oc-aranes`, `por_BR` is `pt-BR`. */
function tagOf(code: string): string | undefined {
  const [language = '', ...rest] = code.split('_');
  if (rest.length === 0) return languageTag(language);
  const variant = variants[rest.join('_')];
  return variant === undefined ? undefined : languageTag(`${language}-${variant}`);
}
