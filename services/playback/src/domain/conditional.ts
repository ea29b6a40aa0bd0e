/** Whether the client has it already: a 304. */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => opaque(tag) === etag))
  );
}

/** Conditional requests (RFC 9110 §13). Our entity tags are strong: an object under a key never changes. */

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

/** Whether a range may be answered in part: no `If-Range`, or exactly this version by tag or by date. */
export function mayAnswerPart(ifRange: string | undefined, etag: string, lastModified: Date | undefined): boolean {
  return ifRange === undefined || ifRange.trim() === etag || ifRange.trim() === lastModified?.toUTCString();
}
