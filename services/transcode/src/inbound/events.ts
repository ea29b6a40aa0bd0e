/** What transcode hears. Handlers write rows and return; the work is done by the slots. */
import { events } from '@vds/proto/events';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import { withTransaction, type Pool, type PoolClient } from '@vds/chassis/database/database';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { isTombstoned, lockGroup } from '@vds/chassis/stage/tombstones';
import type { Purges } from '@vds/chassis/stage/purge';
import { cancelGroup, enqueue } from '@vds/chassis/work/work';
import { enqueuePlanning, startTitle } from '../outbound/encode-units.ts';
import { resultOf, publishResult } from '../outbound/publisher.ts';
import { cancelStages, openStage, readStage, type StageRequest } from '../outbound/stages.ts';
import { findPlan } from '../outbound/titles.ts';
import { askPurge } from './purges.ts';

export type Deps = {
  readonly pool: Pool;
  /** Something was committed: look at the outbox and for work. */
  readonly wake: () => void;
  /** Aborts what this process runs of a video. */
  readonly abort: (videoId: string) => void;
  readonly purges: Purges;
};

type Requested = Omit<StageRequest, 'stage'>;

/** For `bus.subscribe`. */
export function durableHandlers(deps: Deps): EventHandler[] {
  return [
    on(events.inspectRequested, take(deps, 'inspect', enqueueInspect)),
    on(events.encodeRequested, take(deps, 'encode', enqueueEncode)),
    on(events.purgeRequested, async ({ owners, ...asked }) => {
      if (owners.includes('transcode')) await askPurge(deps.purges, asked);
    }),
  ];
}

/** Opens the stage; one that is open already goes on, a closed one repeats its last word. */
function take(deps: Deps, stage: StageRequest['stage'], open: (c: PoolClient, r: StageRequest) => Promise<void>) {
  return async (message: Requested): Promise<void> => {
    const request = { ...message, stage };
    await withTransaction(deps.pool, async (client) => {
      await lockGroup(client, request.videoId);
      if (await isTombstoned(client, request.videoId)) return;
      if (await openStage(client, request)) return open(client, request);
      const row = await readStage(client, request);
      if (row?.state === 'completed' || row?.state === 'failed')
        await addToOutbox(client, [publishResult(request, resultOf(row.answer), `/again-${Date.now()}`)]);
    });
    deps.wake();
  };
}

async function enqueueInspect(client: PoolClient, request: StageRequest): Promise<void> {
  const { videoId, attempt, publisherId, sourceBytes } = request;
  const cost = sourceBytes / 50_000_000;
  await enqueue(client, [{ queue: 'inspect', groupKey: videoId, attempt, unit: 'inspect', tenant: publisherId, cost }]);
}

async function enqueueEncode(client: PoolClient, request: StageRequest): Promise<void> {
  const plan = await findPlan(client, request);
  await (plan ? startTitle(client, request, plan) : enqueuePlanning(client, request));
}

/** For `bus.watch`. */
export function broadcastHandlers(deps: Deps): EventHandler[] {
  return [on(events.videoCancelled, cancel(deps))];
}

/** Every replica hears it: the rows are cancelled once, each replica ends its own children. */
function cancel(deps: Deps) {
  return async ({ videoId }: { readonly videoId: string }): Promise<void> => {
    await withTransaction(deps.pool, async (client) => {
      await lockGroup(client, videoId);
      // Units first: a unit that is being ended holds its own row and waits for the stage's.
      await cancelGroup(client, videoId);
      await cancelStages(client, videoId);
    });
    deps.abort(videoId);
  };
}
