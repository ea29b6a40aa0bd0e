/**
 * Lists that a program writes into files that people write: what stands between `<!-- generated: <name> -->` and
 * `<!-- end of <name> -->` in Markdown, and between `# generated: <name>` and `# end of <name>` in YAML and shell.
 */
const block = /^( *)(<!-- |# )generated: (.+?)( -->)?\n[^]*?^ *\2end of \3\4$/gm;

/**
 * The text with its blocks up to date.
 * @param linesOf lines of a block by its name; undefined for a name that there is no list of
 * @throws Error for an unknown name, or a block that has no end
 */
export function withBlocks(text: string, linesOf: (name: string) => readonly string[] | undefined): string {
  let written = 0;
  const current = text.replaceAll(block, (_all, indent: string, open: string, name: string, close = '') => {
    const lines = linesOf(name);
    if (!lines) throw new Error(`there is no list '${name}' to generate`);
    written += 1;
    const body = lines.map((line) => (line === '' ? '' : indent + line));
    return [`${indent}${open}generated: ${name}${close}`, ...body, `${indent}${open}end of ${name}${close}`].join('\n');
  });
  if (written !== namesOfBlocks(text).length) throw new Error('a generated list has no end, or one of another name');
  return current;
}

/** The names of the blocks in a text. */
export function namesOfBlocks(text: string): string[] {
  return [...text.matchAll(/^ *(?:<!-- |# )generated: (.+?)(?: -->)?$/gm)].map(([, name = '']) => name);
}
