/** The codes of LibreTranslate's servers, which changed over its versions, and ours (BCP 47). */
import { languageTag } from '../../domain/language-tag.ts';
import type { Pair } from '../../domain/routes.ts';
import { nonsense } from './http-engine.ts';

const tags: Readonly<Record<string, string>> = {
  zh: 'zh',
  'zh-Hans': 'zh',
  'zh-CN': 'zh',
  zt: 'zh-Hant',
  'zh-TW': 'zh-Hant',
  pb: 'pt-BR',
  'pt-PT': 'pt',
  nb: 'no',
};

const MOST_LANGUAGES = 1_000;

type Fields = Readonly<Record<string, unknown>>;

/** What the server has: its own code for each tag, and the steps between tags. */
export type Offer = { readonly codes: ReadonlyMap<string, string>; readonly pairs: readonly Pair[] };

/** @throws AppError `nonsense` */
export function readOffer(answer: unknown): Offer {
  if (!Array.isArray(answer) || answer.length > MOST_LANGUAGES) throw nonsense('no list of languages');
  const codes = new Map<string, string>();
  const rows = answer.map((row: unknown) => {
    if (!isFields(row) || typeof row['code'] !== 'string') throw nonsense('a language without a code');
    const tag = tagOf(row['code']);
    if (tag !== undefined && !codes.has(tag)) codes.set(tag, row['code']);
    const targets: unknown = row['targets'] ?? answer.map((other: unknown) => isFields(other) && other['code']);
    if (!Array.isArray(targets) || targets.length > MOST_LANGUAGES) throw nonsense('targets are no list');
    return { from: tag, targets: targets.map((code: unknown) => (typeof code === 'string' ? tagOf(code) : undefined)) };
  });
  const pairs = rows.flatMap(({ from, targets }) =>
    [...new Set(targets)].flatMap((to) =>
      from !== undefined && to !== undefined && from !== to && codes.has(to) ? [{ from, to, weight: 1 }] : [],
    ),
  );
  return { codes, pairs };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for what is not a language tag. */
function tagOf(code: string): string | undefined {
  return Object.hasOwn(tags, code) ? tags[code] : languageTag(code);
}
