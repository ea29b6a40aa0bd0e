/** The `Range` header (RFC 9110 §14.1.2) of a request for one object. */
export type Span = { readonly start: number; readonly length: number };
export type Wanted =
  /** No range, one that we do not read, or several: all of it, status 200. */
  | { readonly kind: 'whole' }
  | ({ readonly kind: 'part' } & Span)
  /** Status 416. */
  | { readonly kind: 'unsatisfiable' };

/**
 * Reads a range.
 * @param size length of the object in bytes
 */
export function readRange(header: string | undefined, size: number): Wanted {
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return { kind: 'whole' };
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return { kind: 'whole' };
  if (start >= size) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, length: last - start + 1 };
}
