/** Schemas of fields that several documents have; the description completes "the field must be …". */

/** A segment of a key or path: it cannot escape its folder. */
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

/** A path below the attempt's prefix, which cannot escape it. */
export function path(extension: string) {
  return text(`^(?=.*\\.${extension}$)${part}(?:/${part}){0,7}$`, `a plain relative path of a .${extension} file`);
}

/** The type is the schema's own: JSONSchemaType accepts `nullable` only for optional fields. */
export function orNull<const S extends { readonly description: string }>(schema: S): S {
  return { ...schema, nullable: true, description: `${schema.description} or null` };
}

export const version1 = { type: 'integer', const: 1, description: '1' } as const;
export const videoId = text('^[0-9A-Za-z]{1,64}$', 'the id of a video');
/** Only letters, digits and hyphens, so that it can be part of a path and of a quoted string. */
export const languageTag = text('^[A-Za-z]{2,8}(?:-[0-9A-Za-z]{1,8}){0,8}$', 'a BCP 47 language tag');
