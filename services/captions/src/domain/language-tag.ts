/** Language tags (BCP 47, RFC 5646), as far as the product needs them: checked, canonical, and their primary subtag. */
import { AppError } from '@vds/chassis/errors';

/** Language, script, region and variants; no extension and no private use, so that a tag is also safe in a key. */
const shape = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-([a-z0-9]{5,8}|\d[a-z0-9]{3}))*$/i;
const MAX_LENGTH = 35;

/** As `languageTag`; throws INVALID_ARGUMENT where it is not one. */
export function checkedLanguageTag(text: string): string {
  const tag = languageTag(text);
  if (tag === undefined)
    throw new AppError('INVALID_ARGUMENT', `'${text.slice(0, MAX_LENGTH)}' is no BCP 47 language tag`);
  return tag;
}

/**
 * The tag in its canonical case and shortest code ("PT-br" is "pt-BR", "eng" is "en"); undefined where it is none.
 */
export function languageTag(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !shape.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined; // Well formed but invalid, such as one with a repeated variant.
  }
}

export function sameLanguage(one: string, other: string): boolean {
  return primarySubtag(one) === primarySubtag(other);
}

/** The language without script, region and variants: "pt" of "pt-BR". */
export function primarySubtag(tag: string): string {
  return (tag.split('-', 1)[0] ?? '').toLowerCase();
}
