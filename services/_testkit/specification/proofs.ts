/**
 * Reads spec-coverage.json: `sentences` has each unit of the specification under its heading with the names of the tests
 * that prove it, or the one reason why it has none (an agreement between people, advice to partners, or the bench that
 * measures it); `tests` has each test's file and title by that name.
 */
import { readFileSync } from 'node:fs';
import type { Unit } from './units.ts';

/** A test as the report of a run names it; `${…}` in its title stands for any text. */
export type Proof = { readonly file: string; readonly title: string };
/** `text`: of a bench its name, else what is agreed or advised. */
export type Reason = { readonly kind: 'agreement' | 'advice' | 'bench'; readonly text: string };
export type ProvenUnit = Unit & { readonly proofs: readonly Proof[]; readonly reason: Reason | undefined };
export type CoverageTable = {
  /** File → name → title. */
  readonly tests: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** `§` and heading → sentence → names of tests, or one reason by its kind. */
  readonly sentences: Readonly<
    Record<string, Readonly<Record<string, readonly string[] | Partial<Record<Reason['kind'], string>>>>>
  >;
};

/** The units of the table in a file, in order. @throws for a name that no test has, and for a test that no unit names */
export function readCoverage(path: string | URL): ProvenUnit[] {
  return provenUnits(JSON.parse(readFileSync(path, 'utf8')) as CoverageTable);
}

/** Every unit of the table, in order. @throws as `readCoverage` */
export function provenUnits({ tests, sentences }: CoverageTable): ProvenUnit[] {
  const byName = new Map(
    Object.entries(tests).flatMap(([file, titles]) =>
      Object.entries(titles).map(([name, title]) => [name, { file, title }] as const),
    ),
  );
  const unused = new Set(byName.keys());
  const proofOf = (name: string): Proof => {
    const proof = byName.get(name);
    if (proof === undefined) throw new Error(`the coverage table has no test ${name}`);
    unused.delete(name);
    return proof;
  };
  const units = Object.entries(sentences).flatMap(([heading, rows]) =>
    Object.entries(rows).map(([text, proof]) => ({
      under: heading.slice(1),
      text,
      proofs: isNames(proof) ? proof.map(proofOf) : [],
      reason: isNames(proof) ? undefined : reasonOf(proof),
    })),
  );
  if (unused.size > 0) throw new Error(`no sentence names the tests ${[...unused].join(', ')}`);
  return units;
}

function isNames(proof: CoverageTable['sentences'][string][string]): proof is readonly string[] {
  return Array.isArray(proof);
}

function reasonOf(reason: Partial<Record<Reason['kind'], string>>): Reason | undefined {
  const [entry] = Object.entries(reason) as [Reason['kind'], string][];
  return entry && { kind: entry[0], text: entry[1] };
}
