/**
 * Reads spec-coverage.md. A unit is a list item; indented below it are its proofs (`- <test file>`: <title>) or one
 * reason (`- no test: <why>`).
 */
import type { Unit } from './spec-units.ts';

export type Proof = { readonly file: string; readonly title: string };
export type ProvenUnit = Unit & { readonly proofs: readonly Proof[]; readonly reason: string | undefined };

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
  const units: { under: string; text: string; proofs: Proof[]; reason: string | undefined }[] = [];
  for (const line of lines) {
    const [, text] = /^- (.+)$/.exec(line) ?? [];
    const [, file, title] = /^ {2}- `([^`]+)`: (.+)$/.exec(line) ?? [];
    const [, reason] = /^ {2}- no test: (.+)$/.exec(line) ?? [];
    if (text !== undefined) units.push({ under, text, proofs: [], reason: undefined });
    else if (file !== undefined && title !== undefined) units.at(-1)?.proofs.push({ file, title });
    else if (reason !== undefined) Object.assign(units.at(-1) ?? {}, { reason });
    else if (line.trim() !== '') throw new Error(`spec-coverage.md: what is this? ${line}`);
  }
  return units;
}
