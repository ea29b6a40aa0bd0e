/**
 * One stack of the contract for the stories that need every state of a video: three replicas, an indexer, and players that
 * hold everything until a story says how a video is played. Opened at the first use, closed after the last test.
 */
import { openContractStack, type ContractStack } from './contract-stack.ts';
import type { Partner } from './partner.ts';
import { seatPlayers, type Players } from './players.ts';
import { playbackUrl } from './record-table.ts';
import { stepsOf, type Steps } from './steps.ts';

type Cast = { readonly publisherId: string; readonly partners: readonly Partner[]; readonly steps: Steps };

export type Stage = {
  readonly stack: ContractStack;
  readonly players: Players;
  /** Of a new publisher: the same key at each of the gateways, and the steps of a story through the first of them. */
  readonly cast: (name: string) => Promise<Cast>;
  /** Length in milliseconds of videos by their bare id; others have 25 s. */
  readonly durations: Map<string, number>;
};

async function openStage(): Promise<Stage> {
  const stack = await openContractStack({
    suffix: 'stage',
    also: ['indexer'],
    env: { gateway: { PLAYBACK_PUBLIC_URL: playbackUrl }, catalog: { DELETE_GRACE: '10m' } },
  });
  const durations = new Map<string, number>();
  const durationMs = (id: string): number => durations.get(id) ?? 25_000;
  const players = await seatPlayers(stack.stack, { turn: () => 'hold', durationMs });
  return {
    stack,
    players,
    durations,
    cast: async (name) => {
      const publisherId = await stack.newPublisher(name);
      const { secretKey } = await stack.newKey(publisherId);
      const partners = stack.gateways.map((_, index) => stack.partner(secretKey, index));
      return { publisherId, partners, steps: stepsOf({ stack, players, partner: stack.partner(secretKey) }) };
    },
  };
}

let opened: Promise<Stage> | undefined;

/** The stack, started if it is not. */
export function theStage(): Promise<Stage> {
  return (opened ??= openStage());
}

after(async function () {
  this.timeout(60_000);
  // Whoever opened it was told why it could not be opened.
  const stage = await opened?.catch(() => undefined);
  await stage?.players.close();
  await stage?.stack.close();
});
