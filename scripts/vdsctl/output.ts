/** How answers are written: aligned text for people, JSON with snake_case names for programs. */

/** Names of the wire become names of the partner's interface; what gRPC adds for its own use (`_field`) is left out. */
export const toSnakeCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toSnakeCase(inner),
    ]),
  );
};

const aligned = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** Columns under their titles; the sentence `none` where there is no row. */
export const table = (titles: readonly string[], rows: readonly (readonly string[])[], none: string): string =>
  rows.length === 0 ? none : aligned([titles.map((title) => title.toUpperCase()), ...rows]);

/** Names and values, one a line; undefined ones are left out. */
export const facts = (pairs: readonly (readonly [name: string, value: string | number | undefined])[]): string =>
  aligned(pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
