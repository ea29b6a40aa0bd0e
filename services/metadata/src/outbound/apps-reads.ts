/** How live videos are read for the platform's apps. */
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import { limitConcurrency } from '@vds/chassis/async';
import type { LiveVideo } from '@vds/chassis/cache/live-videos';
import { getDocument } from '@vds/chassis/objects/documents';
import type { Objects } from '@vds/chassis/objects/objects';
import { videoOf } from '@vds/chassis/objects/keys';
import { trackDocument } from '@vds/proto/documents/track';
import { forApps } from '../domain/for-apps.ts';
import { isGone } from '../domain/jobs/make-document.ts';
import type { Transcript } from '../domain/model.ts';

/** Videos whose transcripts are read at a time, and that wait for it; more are refused. */
const [MAX_LOADED, MAX_WAITING] = [2, 1_000];

/** @param find reads the metadata of a video; throws NOT_FOUND */
export function appsReads(captions: Objects, find: (videoId: string) => Promise<MetadataOut>) {
  const inTurn = limitConcurrency(MAX_LOADED, MAX_WAITING);
  return {
    load: async (video: LiveVideo): Promise<MetadataOut> => {
      const document = await find(video.videoId);
      const quotedMs = document.chapters.flatMap(({ titleAtMs }) => titleAtMs ?? []);
      return forApps(
        document,
        quotedMs.length > 0 ? await inTurn(() => translationsOf(captions, video, quotedMs)) : [],
      );
    },
    /** In memory, about: two bytes a character, and the objects around it. */
    sizeOf: (document: MetadataOut): number => 4 * JSON.stringify(document).length,
  };
}

/**
 * What is said at some times, in all languages. One after the other: transcripts of a long video have megabytes. One that
 * was replaced and removed meanwhile is left out.
 */
async function translationsOf(
  captions: Objects,
  { videoId, tracks }: LiveVideo,
  timesMs: readonly number[],
): Promise<Transcript[]> {
  const found: Transcript[] = [];
  for (const { kind, textKey = '' } of tracks) {
    if (kind !== 'subtitles' || videoOf(textKey) !== videoId) continue;
    try {
      const { language, sentences } = await getDocument(captions, textKey, trackDocument);
      const isQuoted = (startMs: number, endMs: number): boolean => timesMs.some((ms) => startMs <= ms && ms < endMs);
      found.push({ language, sentences: sentences.filter(({ startMs, endMs }) => isQuoted(startMs, endMs)) });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return found;
}
