/**
 * One stack of the contract for the tests that need every state of a video: two replicas, an indexer, and workers
 * that hold everything until a test decides.
 */
import { openContractStack, type ContractStack } from './contract-stack.ts';
import type { Partner } from '../partner-client.ts';
import { shared } from '../shared.ts';
import { startFakeWorkers, type FakeWorkers } from '../../fakes/fake-workers.ts';
import { playbackUrl } from '../../fixtures/record-table.ts';
import { stepsOf, type Steps } from '../../fixtures/steps.ts';

type FixturePublisher = { readonly publisherId: string; readonly partners: readonly Partner[]; readonly steps: Steps };

export type SharedFixture = {
  readonly stack: ContractStack;
  readonly workers: FakeWorkers;
  /** For a new publisher: the same key at each of the gateways, and the steps of a test through the first of them. */
  readonly newPublisher: (name: string) => Promise<FixturePublisher>;
  /** Length in milliseconds of videos by their bare id; 25 s for others. */
  readonly durations: Map<string, number>;
};

async function openFixture(): Promise<SharedFixture> {
  const stack = await openContractStack({
    suffix: 'states',
    replicas: 2,
    also: ['indexer'],
    env: { gateway: { PLAYBACK_PUBLIC_URL: playbackUrl }, catalog: { TIME_SCALE: 'deleteGrace=10m' } },
  });
  const durations = new Map<string, number>();
  const durationMs = (id: string): number => durations.get(id) ?? 25_000;
  const workers = await startFakeWorkers(stack.stack, { reply: () => 'hold', durationMs });
  return {
    stack,
    workers,
    durations,
    newPublisher: async (name) => {
      const publisherId = await stack.newPublisher(name);
      const { secretKey } = await stack.newKey(publisherId);
      const partners = stack.gateways.map((_, index) => stack.partner(secretKey, index));
      return { publisherId, partners, steps: stepsOf({ stack, workers, partner: stack.partner(secretKey) }) };
    },
  };
}

/** The stack. */
export const sharedFixture: () => Promise<SharedFixture> = shared(openFixture, async ({ workers, stack }) => {
  await workers.close();
  await stack.close();
});
