/** What transcode hears. Handlers write rows and return; the work is done by the slots. */
import { events } from '@vds/proto/events';
import { hear, type Ear } from '@vds/shared/bus';
import { withTransaction, type Pool, type PoolClient } from '@vds/shared/database';
import { addToOutbox } from '@vds/shared/outbox';
import { isTombstoned, lockGroup } from '@vds/shared/purge';
import type { Purges } from '@vds/shared/purge-desk';
import { cancelGroup, enqueue } from '@vds/shared/work';
import { enqueuePlanning, startTitle } from '../outbound/encode-units.ts';
import { answerOf, sayAnswer } from '../outbound/says.ts';
import { cancelStages, openStage, readStage, type StageRequest } from '../outbound/stages.ts';
import { findPlan } from '../outbound/titles.ts';
import { askPurge } from './purges.ts';

export type Doors = {
  readonly pool: Pool;
  /** Something was committed: look at the outbox and for work. */
  readonly wake: () => void;
  /** Aborts what this process runs of a video. */
  readonly abort: (videoId: string) => void;
  readonly purges: Purges;
};

type Requested = Omit<StageRequest, 'stage'>;

const enqueueInspect = async (client: PoolClient, request: StageRequest): Promise<void> => {
  const { videoId, attempt, publisherId, sourceBytes } = request;
  const cost = sourceBytes / 50_000_000;
  await enqueue(client, [{ queue: 'inspect', groupKey: videoId, attempt, unit: 'inspect', tenant: publisherId, cost }]);
};

const enqueueEncode = async (client: PoolClient, request: StageRequest): Promise<void> => {
  const plan = await findPlan(client, request);
  await (plan ? startTitle(client, request, plan) : enqueuePlanning(client, request));
};

/** Opens the stage; one that is open already goes on, a closed one repeats its last word. */
const take = (doors: Doors, stage: StageRequest['stage'], open: (c: PoolClient, r: StageRequest) => Promise<void>) => {
  return async (message: Requested): Promise<void> => {
    const request = { ...message, stage };
    await withTransaction(doors.pool, async (client) => {
      await lockGroup(client, request.videoId);
      if (await isTombstoned(client, request.videoId)) return;
      if (await openStage(client, request)) return open(client, request);
      const row = await readStage(client, request);
      if (row?.state === 'completed' || row?.state === 'failed')
        await addToOutbox(client, [sayAnswer(request, answerOf(row.answer), `/again-${Date.now()}`)]);
    });
    doors.wake();
  };
};

/** Every replica hears it: the rows are cancelled once, each replica ends its own children. */
const cancel =
  (doors: Doors) =>
  async ({ videoId }: { readonly videoId: string }): Promise<void> => {
    await withTransaction(doors.pool, async (client) => {
      await lockGroup(client, videoId);
      // Units first: a unit that is being ended holds its own row and waits for the stage's.
      await cancelGroup(client, videoId);
      await cancelStages(client, videoId);
    });
    doors.abort(videoId);
  };

/** For `bus.subscribe`. */
export const heardOnce = (doors: Doors): Ear[] => [
  hear(events.inspectRequested, take(doors, 'inspect', enqueueInspect)),
  hear(events.encodeRequested, take(doors, 'encode', enqueueEncode)),
  hear(events.purgeRequested, async ({ owners, ...asked }) => {
    if (owners.includes('transcode')) await askPurge(doors.purges, asked);
  }),
];

/** For `bus.watch`. */
export const heardByAll = (doors: Doors): Ear[] => [hear(events.videoCancelled, cancel(doors))];
