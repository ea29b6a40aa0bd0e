/** A partner and the stages, as the process tests play them. */
import { events } from '@vds/proto/events';
import type { CreateVideoRequest } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import type { VideoOut } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import { lastWords } from '@vds/proto/testing/last-words';
import type { AppError } from '@vds/chassis/errors';
import { until } from '@vds/testkit/until';
import { newId, type Heard, type House } from './harness.ts';
import { obliging } from './owners.ts';
import type { CatalogProcess } from './process.ts';
import { others } from './stages.ts';

type Owned = { readonly id: string; readonly publisherId: string };
export type Acting = ReturnType<typeof actOn>;

/** The error that a promise ends with. */
export function failureOf(promise: Promise<unknown> | undefined): Promise<AppError> {
  return (promise ?? Promise.resolve('nothing was asked')).then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: AppError) => error,
  );
}

/** @param durationMs of every title, as inspect finds it; encode's own is 40 ms longer */
export function actOn(house: House, durationMs = 24_600) {
  const gateway = firstOf(house).as('gateway');
  const complete = lastWords(house.say, durationMs);
  const see = seeing(house);
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
  const { runLadder, runStages } = running(house, see, complete);
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
    oblige: obliging(house, complete),
    runLadder,
    runStages,
    ready,
  };
}

export function firstOf(house: House): CatalogProcess {
  const [first] = house.processes;
  if (!first) throw new Error('no process of catalog runs');
  return first;
}

/** What the test can see of catalog's messages and rows. */
function seeing(house: House) {
  const heardOf = (videoId: string, name: Heard['name']): Heard[] =>
    house.heard.filter((message) => message.name === name && message.payload['videoId'] === videoId);
  return {
    heardOf,
    hears: (videoId: string, name: Heard['name'], count = 1): Promise<Heard[]> =>
      until(() => heardOf(videoId, name).length >= count && heardOf(videoId, name), {
        what: `${count} × ${name} of ${videoId}`,
      }),
    stageIs: (videoId: string, stage: string, state: string): Promise<unknown> =>
      until(
        async () =>
          (
            await house.pool.query('SELECT 1 FROM stages WHERE (video_id, stage, state) = ($1, $2, $3)', [
              videoId,
              stage,
              state,
            ])
          ).rowCount,
        { what: `${stage} of ${videoId} is ${state}` },
      ),
    /** Waits until the stages that no test speaks of have ended, as far as they were asked for; their names. */
    othersEnd: (videoId: string): Promise<string[]> =>
      until(
        async () => {
          const { rows } = await house.pool.query<{ name: string; open: boolean }>(
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
    /** The ledger's rows, as `owner scope keep`, with `+` once confirmed. */
    ledger: async (videoId: string): Promise<string[]> => {
      const { rows } = await house.pool.query<{ row: string }>(
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

/** Runs all stages of an attempt as fast as catalog asks for them, up to the ladder or to the end. */
function running(house: House, see: ReturnType<typeof seeing>, complete: ReturnType<typeof lastWords>) {
  const runLadder = async (videoId: string, attempt = 1): Promise<void> => {
    await see.hears(videoId, 'fetchRequested', attempt);
    await complete.fetch(videoId, attempt);
    await see.hears(videoId, 'inspectRequested');
    await complete.inspect(videoId, attempt);
    await see.hears(videoId, 'encodeRequested');
    await house.say(events.audioCompleted, { videoId, attempt, hasAudio: true, playlistKey: 'a.m3u8' });
    await see.hears(videoId, 'captionsRequested');
    await complete.encode(videoId, attempt);
  };
  const runStages = async (videoId: string, attempt = 1): Promise<void> => {
    await runLadder(videoId, attempt);
    await complete.captions(videoId, attempt);
    await see.hears(videoId, 'metadataRequested');
    await see.othersEnd(videoId);
    await complete.metadata(videoId, attempt);
  };
  return { runLadder, runStages };
}
