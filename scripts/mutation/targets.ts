/** The tests that run against each mutant: those that need no server. */

/** A service whose `src/domain/` is mutated, one place at a time. */
export type MutationTarget = {
  readonly name: string;
  /** Files of its `test/`, without `.test.ts`. The fastest first: a mutant's run ends with the first failing test. */
  readonly tests: readonly string[];
};

export const targets: readonly MutationTarget[] = [
  {
    name: 'auth',
    tests: ['domain', 'domain/api-key', 'domain/signing-bounds', 'signing-schedule', 'api-key'],
  },
  {
    name: 'gateway',
    tests: [
      'credentials',
      'domain/edge-cases',
      'domain/ingest-request',
      'domain/address-errors',
      'video-id',
      'printable-path',
      'json-members',
      'address-rules',
      'video-record',
    ],
  },
  {
    name: 'catalog',
    tests: [
      'domain/transition',
      'domain/decisions',
      'domain/replies',
      'domain/stage-ends',
      'domain/edges',
      'domain/clips',
      'domain/times',
      'domain/schedule-stages',
      'domain/record',
      'domain/reconcile',
      'domain/tracks',
      'domain/action-preview',
      'domain/lifecycle.properties',
      'domain/attach.properties',
    ],
  },
];
