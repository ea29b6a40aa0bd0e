/** A partner and the stages, as the process tests play them. */
import { events } from '@vds/proto/events';
import type { CreateVideoRequest } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import type { VideoOut } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import type { VideoPurged } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import { terminalEvents } from '@vds/proto/testing/terminal-events';
import type { AppError } from '@vds/chassis/errors';
import { until } from '@vds/testkit/until';
import { newId, type PublishedEvent, type Harness } from './harness.ts';
import { autoComplete } from './owners.ts';
import type { CatalogProcess } from './process.ts';
import { eventOf, others } from '../domain/stages.ts';

type Scope = 'VIDEO' | 'OTHER_ATTEMPTS' | 'SOURCE';
type Owned = { readonly id: string; readonly publisherId: string };
export type Acting = ReturnType<typeof actOn>;

/** The error that a promise rejects with. */
export function failureOf(promise: Promise<unknown> | undefined): Promise<AppError> {
  return (promise ?? Promise.resolve('no call')).then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: AppError) => error,
  );
}

/** @param durationMs of every video, as inspect reports it; encode's own is 40 ms longer */
export function actOn(harness: Harness, durationMs = 24_600) {
  const gateway = firstOf(harness).as('gateway');
  const complete = terminalEvents(harness.publish, durationMs);
  const see = seeing(harness);
  const create = async (changes: CreateVideoRequest = {}): Promise<Owned> => {
    const video = submission(changes);
    await gateway.CreateVideo(video);
    return { id: video.id, publisherId: video.publisherId };
  };
  const get = ({ id, publisherId }: Owned): Promise<VideoOut> => gateway.GetVideo({ id, publisherId });
  const stateIs = (video: Owned, state: string): Promise<VideoOut> =>
    until(
      async () => {
        const seen = await get(video);
        return seen.state === `VIDEO_STATE_${state}` && seen;
      },
      { what: `video ${video.id} is ${state}` },
    );
  const { runLadder, runStages } = running(harness, see, complete);
  /** Confirms a purge in its owner's place, by default the one that the ledger waits for. */
  const confirmPurge = async (videoId: string, owner: string, scope: Scope = 'VIDEO', id?: string): Promise<void> => {
    const requestId = id ?? (await see.purgeRequestId(videoId, owner, scope));
    const purged = { videoId, scope: `PURGE_SCOPE_${scope}` as const, keepAttempt: 0, requestId };
    await harness.publish(eventOf<VideoPurged>(`${owner}.video.purged.v1`), purged);
  };
  /** A video that went through every stage. */
  const ready = async (changes: CreateVideoRequest = {}) => {
    const video = await create(changes);
    await runStages(video.id);
    await stateIs(video, 'READY');
    await see.othersEnd(video.id);
    return { ...video, seen: await get(video) };
  };
  return {
    ...see,
    gateway,
    create,
    get,
    stateIs,
    complete,
    confirmPurge,
    autoComplete: autoComplete(harness, complete),
    runLadder,
    runStages,
    ready,
  };
}

export function firstOf(harness: Harness): CatalogProcess {
  const [first] = harness.processes;
  if (!first) throw new Error('no process of catalog runs');
  return first;
}

/** Catalog's messages and rows that the test can see. */
function seeing(harness: Harness) {
  const eventsOf = (videoId: string, name: PublishedEvent['name']): PublishedEvent[] =>
    harness.published.filter((message) => message.name === name && message.payload['videoId'] === videoId);
  return {
    eventsOf,
    awaitEvents: (videoId: string, name: PublishedEvent['name'], count = 1): Promise<PublishedEvent[]> =>
      until(() => eventsOf(videoId, name).length >= count && eventsOf(videoId, name), {
        what: `${count} × ${name} of ${videoId}`,
      }),
    stageIs: (videoId: string, stage: string, state: string): Promise<unknown> =>
      until(
        async () =>
          (
            await harness.pool.query('SELECT 1 FROM stages WHERE (video_id, stage, state) = ($1, $2, $3)', [
              videoId,
              stage,
              state,
            ])
          ).rowCount,
        { what: `${stage} of ${videoId} is ${state}` },
      ),
    /** Waits until the stages that no test names have ended, as far as they were requested; their names. */
    othersEnd: (videoId: string): Promise<string[]> =>
      until(
        async () => {
          const { rows } = await harness.pool.query<{ name: string; open: boolean }>(
            `SELECT stage AS name, state IN ('requested', 'started') AS open FROM stages WHERE video_id = $1`,
            [videoId],
          );
          const beside = rows.filter(({ name }) => others.some((stage) => stage.name === name));
          return !beside.some(({ open }) => open) && beside.map(({ name }) => name);
        },
        { what: `the other stages of ${videoId} have ended` },
      ),
    /** Waits until an expectation holds. */
    eventually: (expectation: () => Promise<unknown>): Promise<unknown> =>
      until(() => expectation().then(() => true), { what: 'the expectation holds' }),
    /** The id of the request that an owner's row in the ledger waits for. */
    purgeRequestId: async (videoId: string, owner: string, scope = 'VIDEO'): Promise<string> => {
      const { rows } = await harness.pool.query<{ id: string }>(
        'SELECT request_id AS id FROM purges WHERE (video_id, owner, scope) = ($1, $2, $3)',
        [videoId, owner, scope],
      );
      return rows[0]?.id ?? `no purge ${scope} of ${owner}`;
    },
    /** The ledger's rows, as `owner scope keep`, with `+` once confirmed. */
    ledger: async (videoId: string): Promise<string[]> => {
      const { rows } = await harness.pool.query<{ row: string }>(
        `SELECT owner || ' ' || scope || ' ' || keep_attempt || CASE WHEN confirmed_at IS NULL THEN '' ELSE '+' END AS row
          FROM purges WHERE video_id = $1 ORDER BY owner, scope`,
        [videoId],
      );
      return rows.map(({ row }) => row);
    },
  };
}

export function submission(changes: CreateVideoRequest = {}): CreateVideoRequest & Owned {
  return {
    id: newId(),
    publisherId: 'publisher-1',
    keyId: 'key-1',
    budgetId: 'budget-1',
    dailyLimit: 500,
    sourceUrl: 'https://media.example.com/final.mp4?signature=abc',
    title: 'Final',
    tags: ['goal'],
    languageCode: 'en',
    ...changes,
  };
}

/** Runs all stages of an attempt as fast as catalog requests them, up to the ladder or to the end. */
function running(harness: Harness, see: ReturnType<typeof seeing>, complete: ReturnType<typeof terminalEvents>) {
  const runLadder = async (videoId: string, attempt = 1): Promise<void> => {
    await see.awaitEvents(videoId, 'fetchRequested', attempt);
    await complete.fetch(videoId, attempt);
    await see.awaitEvents(videoId, 'inspectRequested');
    await complete.inspect(videoId, attempt);
    await see.awaitEvents(videoId, 'encodeRequested');
    await harness.publish(events.audioCompleted, { videoId, attempt, hasAudio: true, audioPlaylistKey: 'a.m3u8' });
    await see.awaitEvents(videoId, 'captionsRequested');
    await complete.encode(videoId, attempt);
  };
  const runStages = async (videoId: string, attempt = 1): Promise<void> => {
    await runLadder(videoId, attempt);
    await complete.captions(videoId, attempt);
    await see.awaitEvents(videoId, 'metadataRequested');
    await see.othersEnd(videoId);
    await complete.metadata(videoId, attempt);
  };
  return { runLadder, runStages };
}
