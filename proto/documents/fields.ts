/** Fields that documents have in common, as schemas; the description completes "the field must be …". */

/** A part of a key or path: it cannot leave its folder. */
const part = '[0-9A-Za-z][0-9A-Za-z._-]{0,127}';

export const plainPart = new RegExp(`^${part}$`);

/** @param least the smallest, `most` the largest integer */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER) {
  const description = `an integer from ${least} to ${most}`;
  return { type: 'integer', minimum: least, maximum: most, description } as const;
}

/** Larger than zero. */
export function positive(most: number) {
  const description = `a number above 0, at most ${most}`;
  return { type: 'number', exclusiveMinimum: 0, maximum: most, description } as const;
}

export function text(pattern: string, description: string) {
  return { type: 'string', pattern, description } as const;
}

/** A path below the attempt's prefix, which cannot leave it. */
export function path(extension: string) {
  return text(`^(?=.*\\.${extension}$)${part}(?:/${part}){0,7}$`, `a plain relative path of a .${extension} file`);
}

/** The type is that of the schema itself: JSONSchemaType takes `nullable` for fields that may be absent alone. */
export function orNull<const S extends { readonly description: string }>(schema: S): S {
  return { ...schema, nullable: true, description: `${schema.description} or null` };
}

export const version1 = { type: 'integer', const: 1, description: '1' } as const;
export const videoId = text('^[0-9A-Za-z]{1,64}$', 'the id of a video');
/** Letters, digits and hyphens alone, so that it can stand in a path and in a quoted string. */
export const languageTag = text('^[A-Za-z]{2,8}(?:-[0-9A-Za-z]{1,8}){0,8}$', 'a BCP 47 language tag');
