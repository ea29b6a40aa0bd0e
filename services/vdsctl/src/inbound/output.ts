/** Output formats: aligned text for people, JSON with snake_case names for programs. */

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

/** Columns under their headings; the sentence `none` without rows. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  return rows.length === 0 ? none : aligned([titles.map((title) => title.toUpperCase()), ...rows]);
}

function aligned(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(escapeUnsafe));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function escapeUnsafe(cell: string): string {
  return cell.replaceAll(UNSAFE, (character) => `\\u{${hexOf(character)}}`);
}

/** Names and values, one per line; undefined values are left out. */
export function facts(pairs: readonly (readonly [name: string, value: string | number | undefined])[]): string {
  return aligned(pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

/** Milliseconds as a position in a video: `1:02:03.4`, or `2:03.4` below an hour. */
export function clock(ms: number): string {
  const seconds = (Math.floor(ms / 100) / 10) % 60;
  const minutes = Math.floor(ms / 60_000);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  const tail = seconds.toFixed(1).padStart(4, '0');
  return hour > 0 ? `${hour}:${String(minute).padStart(2, '0')}:${tail}` : `${minute}:${tail}`;
}
