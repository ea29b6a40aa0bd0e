/** One house of the contract, with players in the workers' seats, for the stories of keys and tenants. */
import { openContractHouse, type ContractHouse } from './contract-house.ts';
import { seatPlayers, type PlayedStage, type Players, type Turn } from './players.ts';

export type Contract = ContractHouse & { readonly players: Players };

/** By the last character of its id: a few videos fail, some stay processing for ever, the others become ready. */
const turn = (stage: PlayedStage, { videoId }: { readonly videoId: string }): Turn => {
  if (stage !== 'fetch') return 'complete';
  if ('01'.includes(videoId.slice(-1))) return { fail: 'source_not_found' };
  return '23456'.includes(videoId.slice(-1)) ? 'hold' : 'complete';
};

const open = async (): Promise<Contract> => {
  const contract = await openContractHouse({ suffix: 'keys' });
  return { ...contract, players: await seatPlayers(contract.house, { turn }) };
};

let opened: Promise<Contract> | undefined;

/** The house: opened at the first use, closed after the last test of the run. */
export const theContract = (): Promise<Contract> => (opened ??= open());

after(async function () {
  this.timeout(120_000);
  const contract = await opened;
  await contract?.players.close();
  await contract?.close();
});
