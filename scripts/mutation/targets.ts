/** The tests that run against each mutant: those that need no server. */
import { globSync } from 'node:fs';

/** A service whose `src/domain/` is mutated, one place at a time. */
export type MutationTarget = {
  readonly name: string;
  /** Patterns of files in its `test/`. The fastest first: a mutant's run ends with the first failing test. */
  readonly tests: readonly string[];
};

const domain = 'domain/!(*.properties).test.ts';

export const targets: readonly MutationTarget[] = [
  { name: 'auth', tests: ['domain.test.ts', domain, '{signing-schedule,api-key}.test.ts'] },
  {
    name: 'gateway',
    tests: ['credentials.test.ts', domain, '{address-rules,json-members,printable-path,video-id,video-record}.test.ts'],
  },
  { name: 'catalog', tests: [domain, 'domain/*.properties.test.ts'] },
];

/** The files that a pattern of tests finds below the folder of the service. */
export function testsOf(folder: string, pattern: string): string[] {
  return globSync(`test/${pattern}`, { cwd: folder }).toSorted();
}
