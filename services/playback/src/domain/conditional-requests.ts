/** Conditional and range requests (RFC 9110 §13, §14). Entity tags are strong: an object under a key never changes. */
export type Span = { readonly start: number; readonly length: number };
export type Selection =
  /** No range, an unsupported one, or several: the full object, status 200. */
  | { readonly kind: 'whole' }
  | ({ readonly kind: 'part' } & Span)
  /** Status 416. */
  | { readonly kind: 'unsatisfiable' };

/** Whether `If-None-Match` has the object's tag: a 304. */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return ifNoneMatch.trim() === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}

/** Whether a range may be honoured: no `If-Range`, or exactly this version by tag or date. */
export function isRangeAllowed(ifRange: string | undefined, etag: string, lastModified: Date | undefined): boolean {
  return ifRange === undefined || ifRange.trim() === etag || ifRange.trim() === lastModified?.toUTCString();
}

/**
 * Reads a `Range` header.
 * @param size length of the object in bytes
 */
export function readRange(header: string | undefined, size: number): Selection {
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return { kind: 'whole' };
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return { kind: 'whole' };
  if (start >= size) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, length: last - start + 1 };
}
