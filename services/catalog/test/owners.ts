/** The owners of the stages, as the process tests play them. */
import { setTimeout as pause } from 'node:timers/promises';
import { events } from '@vds/proto/events';
import type { Track } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { TrackState } from '@vds/proto/generated/vds/captions/v1/TrackState.ts';
import type { Heard, House } from './house.ts';
import { namedStages } from './stages.ts';

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
export const completing = (house: House, durationMs: number) => ({
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
      durationMs,
      hasAudio: true,
      warnings: [{ code: 'long', message: 'Longer than usual.' }],
    }),
  encode: (videoId: string, attempt = 1) =>
    house.say(events.encodeCompleted, {
      videoId,
      attempt,
      durationMs: durationMs + 40,
      ladderKey: `${media(videoId, attempt)}/ladder.json`,
      thumbnailKey: `${media(videoId, attempt)}/thumbnail.jpg`,
    }),
  captions: (videoId: string, attempt = 1) =>
    house.say(events.captionsCompleted, { videoId, attempt, revision: 0, state: tracksAt(videoId, 2, attempt) }),
  metadata: (videoId: string, attempt = 1, revision = 0) =>
    house.say(events.metadataCompleted, { videoId, attempt, revision }),
});

/** Answers every request for these videos, repeats too, as owners do that have finished rows; until it is stopped. */
export const obliging =
  (house: House, complete: ReturnType<typeof completing>) =>
  (videoIds: readonly string[]): (() => Promise<void>) => {
    let stopped = false;
    const answer = async (): Promise<void> => {
      for (let next = 0; !stopped; await pause(10)) {
        for (; next < house.heard.length; next++) {
          const { name, payload } = house.heard[next] as Heard;
          const stage = namedStages.find((one) => name === `${one}Requested`);
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
