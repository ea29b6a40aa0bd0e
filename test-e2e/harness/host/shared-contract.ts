/** One contract stack with fake workers, shared by the tests of keys and tenants. */
import { openContractStack, type ContractStack } from './contract-stack.ts';
import type { StageName } from '@vds/proto/stages';
import { shared } from '../shared.ts';
import { startFakeWorkers, type FakeWorkers, type StageReply } from '../../fakes/fake-workers.ts';

export type Contract = ContractStack & { readonly workers: FakeWorkers };

export type Outcome = 'ready' | 'failed' | 'processing';

/** The outcome of a video, by the last character of its id: some fail, some stay in processing. */
export function outcomeOf(id: string): Outcome {
  if ('0123'.includes(id.slice(-1))) return 'failed';
  return '4567'.includes(id.slice(-1)) ? 'processing' : 'ready';
}

const replies: Readonly<Record<Outcome, StageReply>> = {
  ready: 'complete',
  failed: { fail: 'source_not_found' },
  processing: 'hold',
};
function reply(stage: StageName, { videoId }: { readonly videoId: string }): StageReply {
  return stage === 'fetch' ? replies[outcomeOf(videoId)] : 'complete';
}

/** These tests check permissions, not speed: generous timeouts suit a busy machine. */
async function open(): Promise<Contract> {
  const contract = await openContractStack({ suffix: 'keys', env: { gateway: { TIME_SCALE: 'peerTimeout=25s' } } });
  return { ...contract, workers: await startFakeWorkers(contract.stack, { reply }) };
}

/** The stack. */
export const sharedContract: () => Promise<Contract> = shared(open, async ({ workers, close }) => {
  await workers.close();
  await close();
});
