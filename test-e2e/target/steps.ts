/** Steps of a story about one video, by the calls that a partner, the operator's staff and the stages make. */
import type { FailureCode } from '@vds/proto/failures';
import { until } from '@vds/testkit/until';
import { bare } from './apps.ts';
import type { ContractStack } from './contract-stack.ts';
import type { Partner, VideoRecord } from './partner.ts';
import type { PlayedStage, Players } from './players.ts';

type Stagehands = {
  readonly partner: Partner;
  /** Hold everything until told otherwise. */
  readonly players: Players;
  readonly stack: ContractStack;
};

const order: readonly PlayedStage[] = ['fetch', 'inspect', 'encode', 'captions', 'metadata'];

export function stepsOf(hands: Stagehands) {
  const { partner, players, stack } = hands;
  const see = (id: string, what: string, ask: (record: VideoRecord) => boolean): Promise<VideoRecord> =>
    until(
      async () => {
        const record = await partner.get(id);
        return ask(record) ? record : undefined;
      },
      { what: `${id} ${what}`, capMs: 120_000, everyMs: 50 },
    );
  /** Resolves with the first record that has the status. */
  const comes = (id: string, status: VideoRecord['status']): Promise<VideoRecord> =>
    see(id, `is ${status}`, (record) => record.status === status);
  /** Lets every stage before `stage` complete; that one is held. */
  const upTo = async (id: string, stage: PlayedStage, attempt = 1) => {
    await players.play(bare(id), (one) => (order.indexOf(one) < order.indexOf(stage) ? 'complete' : 'hold'));
    return players.asked(bare(id), stage, attempt);
  };
  /** Lets every stage complete. */
  const finish = (id: string): Promise<void> => players.play(bare(id), () => 'complete');
  return {
    ...hands,
    see,
    comes,
    upTo,
    finish,
    live: (id: string): Promise<VideoRecord> => finish(id).then(() => comes(id, 'ready')),
    /** Begins a stage and says how far it is; resolves when the partner sees what comes of it. */
    runs: async (id: string, stage: 'fetch' | 'encode', percent: number, progress: number): Promise<void> => {
      const asked = await upTo(id, stage);
      await players.begin(stage, asked);
      await players.progress(stage, asked, percent);
      await see(id, `has come to ${progress} %`, (record) => record.progress === progress);
    },
    fails: async (
      id: string,
      stage: PlayedStage,
      code: FailureCode,
      details: Readonly<Record<string, string>> = {},
    ): Promise<VideoRecord> => {
      await players.fail(stage, await upTo(id, stage), code, details);
      return comes(id, 'failed');
    },
    staff: stack.videos,
    /** What the staff say with each of their verbs. */
    by: (id: string) => ({ videoId: bare(id), actor: 'sre@example.com', reason: 'ticket 7' }),
  };
}
export type Steps = ReturnType<typeof stepsOf>;
