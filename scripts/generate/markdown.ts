/** Markdown that lists are written in. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Names in a line: `auth, catalog`; a dash for none. */
export function listed(names: readonly string[]): string {
  return names.join(', ') || '–';
}

/** The names in a line, each as code. */
export function codes(names: readonly string[]): string {
  return names.map(code).join(', ');
}

/** Keys that have the same value, together, in the order of the first of each. */
export function alike<K, V>(entries: readonly (readonly [K, V])[]): [keys: K[], value: V][] {
  const groups = new Map<string, [K[], V]>();
  for (const [key, value] of entries) {
    const group = groups.get(JSON.stringify(value));
    if (group) group[0].push(key);
    else groups.set(JSON.stringify(value), [[key], value]);
  }
  return [...groups.values()];
}
