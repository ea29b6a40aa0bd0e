/** One stack of the contract, with players in the workers' seats, for the stories of keys and tenants. */
import { openContractStack, type ContractStack } from './contract-stack.ts';
import { seatPlayers, type PlayedStage, type Players, type Turn } from './players.ts';

export type Contract = ContractStack & { readonly players: Players };

export type End = 'ready' | 'failed' | 'processing';

/** What becomes of a video, by the last character of its id: some fail, some stay processing for ever. */
export function endOf(id: string): End {
  if ('0123'.includes(id.slice(-1))) return 'failed';
  return '4567'.includes(id.slice(-1)) ? 'processing' : 'ready';
}

const turns: Readonly<Record<End, Turn>> = {
  ready: 'complete',
  failed: { fail: 'source_not_found' },
  processing: 'hold',
};
function turn(stage: PlayedStage, { videoId }: { readonly videoId: string }): Turn {
  return stage === 'fetch' ? turns[endOf(videoId)] : 'complete';
}

/** What is asked here is who may do what, not how soon: a machine that is busy may take its time. */
async function open(): Promise<Contract> {
  const contract = await openContractStack({ suffix: 'keys', env: { gateway: { PEER_TIMEOUT: '25s' } } });
  return { ...contract, players: await seatPlayers(contract.stack, { turn }) };
}

let opened: Promise<Contract> | undefined;

/** The stack: opened at the first use, closed after the last test of the run. */
export function theContract(): Promise<Contract> {
  return (opened ??= open());
}

after(async function () {
  this.timeout(120_000);
  const contract = await opened;
  await contract?.players.close();
  await contract?.close();
});
