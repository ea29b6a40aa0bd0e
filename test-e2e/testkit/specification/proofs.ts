/**
 * Reads spec-coverage.md. A unit is a list item; indented below it are its proofs (`- <test file>`: <title>) or the one
 * reason why it has none: an agreement between people, advice to partners, or what a named bench measures.
 */
import type { Unit } from './units.ts';

/** A test as the report of a run names it; `${…}` in its title stands for any text. */
export type Proof = { readonly file: string; readonly title: string };
/** `text`: of a bench its name, else what is agreed or advised. */
export type Reason = { readonly kind: 'agreement' | 'advice' | 'bench'; readonly text: string };
export type ProvenUnit = Unit & { readonly proofs: readonly Proof[]; readonly reason: Reason | undefined };

/** Every unit of the table, in order. @throws for a line that is neither unit, proof nor reason */
export function provenUnits(markdown: string): ProvenUnit[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .flatMap((chapter) => {
      const [heading = '', ...lines] = chapter.split('\n');
      return unitsUnder(heading.trim(), lines);
    });
}

/** The units under one heading. */
function unitsUnder(under: string, lines: readonly string[]): ProvenUnit[] {
  const units: { under: string; text: string; proofs: Proof[]; reason: Reason | undefined }[] = [];
  for (const line of lines) {
    const [, text] = /^- (.+)$/.exec(line) ?? [];
    const [, file, title] = /^ {2}- `([^`]+)`: (.+)$/.exec(line) ?? [];
    const reason = reasonOf(line);
    if (text !== undefined) units.push({ under, text, proofs: [], reason: undefined });
    else if (file !== undefined && title !== undefined) units.at(-1)?.proofs.push({ file, title });
    else if (reason !== undefined) Object.assign(units.at(-1) ?? {}, { reason });
    else if (line.trim() !== '') throw new Error(`spec-coverage.md: what is this? ${line}`);
  }
  return units;
}

function reasonOf(line: string): Reason | undefined {
  const [, bench] = /^ {2}- measured by `npm run bench -- ([a-z-]+)`$/.exec(line) ?? [];
  if (bench !== undefined) return { kind: 'bench', text: bench };
  const [, kind, text] = /^ {2}- (agreement between people|advice): (.+)$/.exec(line) ?? [];
  if (kind === undefined || text === undefined) return undefined;
  return { kind: kind === 'advice' ? 'advice' : 'agreement', text };
}
