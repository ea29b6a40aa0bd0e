/** The languages of a translation model, by the tokens with which it names them. */
import { languageTag } from '../../domain/language-tag.ts';
import type { Pair } from '../../domain/routes.ts';

/** The tokens before a text and before its translation. */
type Prefixes = { readonly source: readonly string[]; readonly target: readonly string[] };

export type ModelLanguages = {
  readonly pairs: readonly Pair[];
  /** For one of `pairs`. */
  readonly prefixes: (from: string, to: string) => Prefixes;
};

/** What a folder's `languages.json` declares of a model that does not name its languages. */
export type DeclaredLanguages = { readonly from: readonly string[]; readonly to: readonly string[] };

/** How a family of models names a language. */
const named = /^(?:__([a-z]{2,3})__|([a-z]{3})_([A-Z][a-z]{3}))$/;
const target = /^>>([A-Za-z_]{2,10})<<$/;

/** Norwegian is Bokmål where nothing else is said: one language of the videos, as speech engines name it. */
const sameAs: Readonly<Record<string, string>> = { nb: 'no' };

/**
 * Of M2M-100 (`__en__`) and NLLB (`eng_Latn`) every pair; of OPUS-MT those that are declared, with `>>fra<<` before the
 * text where the model has several targets. Undefined where nothing names a pair.
 * @param tokens of the vocabulary, such as name languages
 */
export function readModelLanguages(
  tokens: readonly string[],
  declared: DeclaredLanguages | undefined,
): ModelLanguages | undefined {
  const tokenOf = tokensByTag(tokens, namedTag);
  if (tokenOf.size > 1) {
    const all = [...tokenOf.keys()];
    const prefix = (tag: string): string[] => [tokenOf.get(tag) ?? []].flat();
    return { pairs: pairsOf(all, all), prefixes: (from, to) => ({ source: prefix(from), target: prefix(to) }) };
  }
  if (!declared) return undefined;
  const targetOf = tokensByTag(tokens, targetTag);
  const [from, to] = [declared.from, declared.to].map((tags) => tags.map((tag) => sameAs[tag] ?? tag));
  // Without its token a model of several targets would write any of them.
  const reached = (to ?? []).filter((tag) => targetOf.size === 0 || targetOf.has(tag));
  return {
    pairs: pairsOf(from ?? [], reached),
    prefixes: (_from, to) => ({ source: [targetOf.get(to) ?? []].flat(), target: [] }),
  };
}

function tokensByTag(tokens: readonly string[], tagOf: (token: string) => string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const token of tokens) {
    const tag = tagOf(token);
    if (tag !== undefined && !found.has(tag)) found.set(tag, token);
  }
  return found;
}

function namedTag(token: string): string | undefined {
  const [, short, long, script] = named.exec(token) ?? [];
  return tagOf(short ?? long, script);
}

function targetTag(token: string): string | undefined {
  const [language, script] = (target.exec(token)?.[1] ?? '').split('_');
  return tagOf(language, script);
}

/** BCP 47, with a region; the script only where it is not the usual one of the language. */
function tagOf(language: string | undefined, script: string | undefined): string | undefined {
  const tag = languageTag(language ?? '');
  if (tag === undefined || script === undefined) return tag && (sameAs[tag] ?? tag);
  if (script.length !== 4) return languageTag(`${tag}-${script}`);
  const usual = new Intl.Locale(tag).maximize().script;
  // Korean's usual script is called Kore, Hangul with Chinese characters; models name Hangul.
  return usual === script || (usual === 'Kore' && script === 'Hang')
    ? (sameAs[tag] ?? tag)
    : languageTag(`${tag}-${script}`);
}

function pairsOf(from: readonly string[], to: readonly string[]): Pair[] {
  return from.flatMap((one) =>
    to.filter((other) => other !== one).map((other) => ({ from: one, to: other, weight: 1 })),
  );
}
