/**
 * One house of the contract for the stories that need every state of a video: three replicas, an indexer, and players that
 * hold everything until a story says how a video is played. Opened at the first use, closed after the last test.
 */
import { openContractHouse, type ContractHouse } from './contract-house.ts';
import type { Partner } from './partner.ts';
import { seatPlayers, type Players } from './players.ts';
import { playbackUrl } from './record-table.ts';
import { stepsOf, type Steps } from './steps.ts';

type Cast = { readonly publisherId: string; readonly partners: readonly Partner[]; readonly steps: Steps };

export type Stage = {
  readonly house: ContractHouse;
  readonly players: Players;
  /** Of a new publisher: the same key at each of the gateways, and the steps of a story through the first of them. */
  readonly cast: (name: string) => Promise<Cast>;
  /** Length in milliseconds of videos by their bare id; others have 25 s. */
  readonly durations: Map<string, number>;
};

async function openStage(): Promise<Stage> {
  const house = await openContractHouse({
    suffix: 'stage',
    also: ['indexer'],
    env: { gateway: { PLAYBACK_PUBLIC_URL: playbackUrl }, catalog: { DELETE_GRACE: '10m' } },
  });
  const durations = new Map<string, number>();
  const durationMs = (id: string): number => durations.get(id) ?? 25_000;
  const players = await seatPlayers(house.house, { turn: () => 'hold', durationMs });
  return {
    house,
    players,
    durations,
    cast: async (name) => {
      const publisherId = await house.newPublisher(name);
      const { secretKey } = await house.newKey(publisherId);
      const partners = house.gateways.map((_, index) => house.partner(secretKey, index));
      return { publisherId, partners, steps: stepsOf({ house, players, partner: house.partner(secretKey) }) };
    },
  };
}

let opened: Promise<Stage> | undefined;

/** The house, started if it is not. */
export function theStage(): Promise<Stage> {
  return (opened ??= openStage());
}

after(async function () {
  this.timeout(60_000);
  // Whoever opened it was told why it could not be opened.
  const stage = await opened?.catch(() => undefined);
  await stage?.players.close();
  await stage?.house.close();
});
