/** Output formats: aligned text for people, JSON with snake_case names for programs. */

/** A terminal has at least so many columns; the layout is the same wherever it is printed. */
const LINE = 80;
const GAP = '  ';
const NOTE = '    ';
const NARROWEST = 8;

/** Partners' texts may contain control characters and bidirectional overrides; they are printed escaped. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Protobuf's camelCase becomes the snake_case of the partner API; fields that gRPC adds (`_field`) are dropped. */
export function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toSnakeCase(inner),
    ]),
  );
}

/** One JSON document; its strings keep their values and are safe to print. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : `\\u${hexOf(character).padStart(4, '0')}`,
  );
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

/** Comma-separated values (RFC 4180). */
export function csvText(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => cells.map(quoted).join(',')).join('\r\n');
}

/** Columns under their headings; the sentence `none` without rows. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  return tableWithNotes(
    titles,
    rows.map((cells) => ({ cells })),
    none,
  );
}

export type Row = { readonly cells: readonly string[]; readonly note?: string };

/** The same with a note below each row that has one. */
export function tableWithNotes(titles: readonly string[], rows: readonly Row[], none: string): string {
  return rows.length === 0 ? none : aligned([{ cells: titles.map((title) => title.toUpperCase()) }, ...rows]);
}

/** Columns as wide as their widest cell; where a line would be wider than 80, cells are continued below. */
function aligned(rows: readonly Row[]): string {
  const printed = rows.map(({ cells, note = '' }) => ({ cells: cells.map(printable), note: printable(note) }));
  const widths = columnWidths(printed.map(({ cells }) => cells));
  return printed
    .flatMap(({ cells, note }) => [
      ...cellLines(cells, widths),
      ...(note === '' ? [] : wrap(note, LINE - NOTE.length).map((line) => NOTE + line)),
    ])
    .join('\n');
}

function printable(cell: string): string {
  // Nobody reads milliseconds; --json has them.
  return escapeUnsafe(cell).replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1Z');
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? ''));
  const widths = columns.map((cells) => Math.max(...cells.map(({ length }) => length)));
  // An id or a time is not broken where another column can be narrower.
  const words = columns.map((cells) => Math.max(...cells.flatMap(pieces).map(({ length }) => length)));
  const excess = () => widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - LINE;
  for (const floors of [words, words.map(() => NARROWEST)])
    for (let at = widest(widths, floors); excess() > 0 && at >= 0; at = widest(widths, floors))
      widths[at] = (widths[at] ?? 0) - 1;
  return widths;
}

/** The widest column above its floor; -1 if there is none. */
function widest(widths: readonly number[], floors: readonly number[]): number {
  return widths.reduce((best, width, at) => (width > (floors[at] ?? 0) && width > (widths[best] ?? 0) ? at : best), -1);
}

function cellLines(cells: readonly string[], widths: readonly number[]): string[] {
  const wrapped = cells.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, column) => (lines[line] ?? '').padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Lines of at most `width` characters, broken after spaces and slashes, and within longer words. */
function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const piece of pieces(text).flatMap((one) => one.match(new RegExp(`.{1,${width}}`, 'gs')) ?? [])) {
    const line = lines.at(-1) ?? '';
    if ((line + piece.trimEnd()).length <= width) lines[lines.length - 1] = line + piece;
    else lines.push(piece);
  }
  return lines.map((line) => line.trimEnd());
}

function pieces(text: string): string[] {
  return text.match(/[^ /]*[ /]*/g) ?? [];
}

/** The text without what could disturb a terminal. */
export function escapeUnsafe(cell: string): string {
  return cell.replaceAll(UNSAFE, (character) => `\\u{${hexOf(character)}}`);
}

/** Names and values, one per line; undefined values are left out. */
export function facts(pairs: readonly (readonly [name: string, value: string | number | undefined])[]): string {
  return aligned(pairs.flatMap(([name, value]) => (value === undefined ? [] : [{ cells: [name, String(value)] }])));
}

/** Milliseconds as a position in a video: `1:02:03.4`, or `2:03.4` below an hour. */
export function clock(ms: number): string {
  const seconds = (Math.floor(ms / 100) / 10) % 60;
  const minutes = Math.floor(ms / 60_000);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  const tail = seconds.toFixed(1).padStart(4, '0');
  return hour > 0 ? `${hour}:${String(minute).padStart(2, '0')}:${tail}` : `${minute}:${tail}`;
}
