/** Splits a specification into the units of a coverage table: sentences, list items and table rows. */

export type Unit = {
  /** The heading above it, by its number if it has one. */
  readonly under: string;
  readonly text: string;
};

/** Every unit of a Markdown text below its first heading of level 2, in order. A table's head is not a unit. */
export function unitsOf(markdown: string): Unit[] {
  const units: Unit[] = [];
  const lines = markdown.split('\n').map((line) => line.trim());
  let under: string | undefined;
  for (const [index, line] of lines.entries()) {
    under = headingOf(line) ?? under;
    if (under === undefined || line === '' || line.startsWith('#') || isRule(line)) continue;
    if (line.startsWith('|') && isRule(lines[index + 1] ?? '')) continue;
    const texts = line.startsWith('|') ? rowUnits(line) : sentencesOf(line.replace(/^(?:-|\d+\.)\s+/, ''));
    units.push(...texts.map((text) => ({ under: under ?? '', text })));
  }
  return units;
}

function headingOf(line: string): string | undefined {
  const [, title] = /^#{2,6}\s+(.+)$/.exec(line) ?? [];
  return title === undefined ? undefined : (/^\d+(?:\.\d+)*/.exec(title)?.[0] ?? title);
}

function isRule(line: string): boolean {
  return /^\|[\s:|-]+\|$/.test(line);
}

/** A row's last cell may hold several sentences: each is a unit, after the cells before it. */
function rowUnits(row: string): string[] {
  const cells = row
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
  const head = cells.slice(0, -1).join(' | ');
  const last = sentencesOf(cells.at(-1) ?? '');
  return last.length === 0 ? [head] : last.map((sentence) => `${head} | ${sentence}`);
}

/** A sentence ends before a capital letter, a digit or a code mark; `;` separates sentences as well. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=(?<!e\.g)\.)\s+(?=[A-Z0-9`])|(?<=;)\s+/)
    .map((sentence) => sentence.trim().replace(/;$/, ''))
    .filter((sentence) => sentence !== '');
}
