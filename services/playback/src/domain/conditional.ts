/** Conditional requests (RFC 9110 §13). Our entity tags are strong: an object under a key never changes. */

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether the client has it already: a 304. */
export const isNotModified = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === etag));

/** Whether a range may be answered in part: no `If-Range`, or exactly this version by tag or by date. */
export const mayAnswerPart = (ifRange: string | undefined, etag: string, lastModified: Date | undefined): boolean =>
  ifRange === undefined || ifRange.trim() === etag || ifRange.trim() === lastModified?.toUTCString();
