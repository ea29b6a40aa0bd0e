/** Splits SQL files into statements, as far as the check of migrations needs it. */

/** Tokens that must not be split: comments, strings, quoted names, dollar-quoted bodies. */
const opaque = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g;

/** The statements of a file, each on one line with its case preserved, strings emptied and comments removed. */
export function statementsOf(text: string): string[] {
  return [text, ...doBodies(text)].flatMap((part) =>
    simplified(part)
      .split(';')
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ''),
  );
}

/** The body of a DO block is executed at once, unlike a function's; its statements count like the file's. */
function doBodies(text: string): string[] {
  return [...text.replaceAll(/--[^\n]*/g, '').matchAll(/\bdo\s+\$(\w*)\$([\s\S]*?)\$\1\$/gi)].map((match) =>
    (match[2] ?? '').replaceAll(/\b(begin|then|else|loop)\b/gi, ';'),
  );
}

function simplified(text: string): string {
  return text
    .replaceAll(opaque, (part) => {
      if (part.startsWith('--') || part.startsWith('/*')) return ' ';
      if (part.startsWith('"')) return part;
      return part.startsWith('$') ? '$$' : `''`;
    })
    .replaceAll(/\s+/g, ' ');
}

/** The parts of a list, split at commas outside of parentheses. */
export function partsOf(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of list) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

/** The tables that a file creates: nobody uses them yet. */
export function tablesMadeIn(file: readonly string[]): ReadonlySet<string> {
  return new Set(
    file.flatMap((statement) => {
      const name = /^create (?:unlogged )?table (?:if not exists )?([^\s(]+)/i.exec(statement)?.[1];
      return name === undefined ? [] : [tableOf(name)];
    }),
  );
}

/** A table's name without quotes and the default schema. */
export function tableOf(name: string | undefined): string {
  return (name ?? '')
    .toLowerCase()
    .replaceAll('"', '')
    .replace(/^public\./, '');
}
