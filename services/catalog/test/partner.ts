/** A partner and the stages, as the process tests play them. */
import { setTimeout as pause } from 'node:timers/promises';
import { events } from '@vds/proto/events';
import type { CreateVideoRequest } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import type { Track } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { TrackState } from '@vds/proto/generated/vds/captions/v1/TrackState.ts';
import type { VideoOut } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import type { AppError } from '@vds/shared/errors';
import { until } from '@vds/shared/testing/until';
import { newId, type Heard, type House } from './house.ts';
import type { CatalogProcess } from './process.ts';

type Owned = { readonly id: string; readonly publisherId: string };

export const submission = (changes: CreateVideoRequest = {}): CreateVideoRequest & Owned => ({
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
});

/** The error that a promise ends with. */
export const failureOf = (promise: Promise<unknown> | undefined): Promise<AppError> =>
  (promise ?? Promise.resolve('nothing was asked')).then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: AppError) => error,
  );

export const firstOf = (house: House): CatalogProcess => {
  const [first] = house.processes;
  if (!first) throw new Error('no process of catalog runs');
  return first;
};

const media = (videoId: string, attempt: number): string => `videos/${videoId}/${attempt}/assemble.1`;
const key = (videoId: string, attempt: number, language: string, file: string): string =>
  `videos/${videoId}/${attempt}/translate-${language}.1/${file}`;
const trackOf = (videoId: string, attempt: number, language: string): Track => ({
  language,
  kind: language === 'en' ? 'captions' : 'subtitles',
  status: 'ready',
  name: language,
  playlistKey: key(videoId, attempt, language, 'index.m3u8'),
  textKey: key(videoId, attempt, language, 'track.json'),
  path: ['en'],
});
/** What captions knows: English and, from the third revision on, Spanish; German it cannot. */
export const tracksAt = (videoId: string, revision: number, attempt = 1): TrackState => {
  const spanish = trackOf(videoId, attempt, 'es');
  const { playlistKey: _playlist, textKey: _text, ...bare } = spanish;
  return {
    revision,
    tracks: [
      trackOf(videoId, attempt, 'en'),
      revision < 3 ? { ...bare, status: 'processing' } : spanish,
      { language: 'de', kind: 'subtitles', status: 'skipped', reason: 'no_path', name: 'de', path: [] },
    ],
    transcriptKey: key(videoId, attempt, 'en', 'track.json'),
    transcriptRevision: 1,
  };
};
/** Says the last word of a stage in its owner's place. */
const completing = (house: House) => ({
  fetch: (videoId: string, attempt = 1) =>
    house.say(events.fetchCompleted, {
      videoId,
      attempt,
      sourceKey: `videos/${videoId}/${attempt}/source.1/original`,
      sourceBytes: 1_234,
      digest: 'd',
    }),
  inspect: (videoId: string, attempt = 1) =>
    house.say(events.inspectCompleted, {
      videoId,
      attempt,
      durationMs: 24_600,
      hasAudio: true,
      warnings: [{ code: 'long', message: 'Longer than usual.' }],
    }),
  encode: (videoId: string, attempt = 1) =>
    house.say(events.encodeCompleted, {
      videoId,
      attempt,
      durationMs: 24_640,
      ladderKey: `${media(videoId, attempt)}/ladder.json`,
      thumbnailKey: `${media(videoId, attempt)}/thumbnail.jpg`,
    }),
  captions: (videoId: string, attempt = 1) =>
    house.say(events.captionsCompleted, { videoId, attempt, revision: 0, state: tracksAt(videoId, 2, attempt) }),
  metadata: (videoId: string, attempt = 1, revision = 0) =>
    house.say(events.metadataCompleted, { videoId, attempt, revision }),
});

/** What the test can see of catalog's messages and rows. */
const seeing = (house: House) => {
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
};

/** Answers every request for these videos, repeats too, as owners do that have finished rows; until it is stopped. */
const obliging =
  (house: House, complete: ReturnType<typeof completing>) =>
  (videoIds: readonly string[]): (() => Promise<void>) => {
    let stopped = false;
    const answer = async (): Promise<void> => {
      for (let next = 0; !stopped; await pause(10)) {
        for (; next < house.heard.length; next++) {
          const { name, payload } = house.heard[next] as Heard;
          const stage = /^(fetch|inspect|encode|captions|metadata)Requested$/.exec(name)?.[1] as
            | keyof typeof complete
            | undefined;
          const videoId = String(payload['videoId']);
          if (!stage || !videoIds.includes(videoId)) continue;
          if (stage === 'encode') await house.say(events.audioCompleted, { videoId, attempt: 1, hasAudio: false, playlistKey: '' }); // prettier-ignore
          await complete[stage](videoId);
        }
      }
    };
    const running = answer();
    return () => {
      stopped = true;
      return running;
    };
  };

export const actOn = (house: House) => {
  const gateway = firstOf(house).as('gateway');
  const complete = completing(house);
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
  /** Runs all stages of an attempt as fast as catalog asks for them, up to the ladder or to the end. */
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
    await complete.metadata(videoId, attempt);
  };
  /** A video that went through every stage. */
  const ready = async (changes: CreateVideoRequest = {}) => {
    const video = await create(changes);
    await runStages(video.id);
    return { ...video, seen: await stateIs(video, 'READY') };
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
};
export type Acting = ReturnType<typeof actOn>;
