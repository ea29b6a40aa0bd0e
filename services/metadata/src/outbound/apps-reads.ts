/** How live videos are read for the platform's apps. */
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { LiveVideo } from '@vds/chassis/cache/live-videos';
import { getDocument } from '@vds/chassis/objects/documents';
import type { Objects } from '@vds/chassis/objects/objects';
import { videoOf } from '@vds/chassis/objects/keys';
import { trackDocument } from '@vds/proto/documents/track';
import { forApps } from '../domain/for-apps.ts';
import { isGone } from '../domain/jobs/make-document.ts';
import type { Transcript } from '../domain/model.ts';

/** @param find reads the metadata of a video; throws NOT_FOUND */
export function appsReads(captions: Objects, find: (videoId: string) => Promise<MetadataOut>) {
  return {
    load: async (video: LiveVideo): Promise<MetadataOut> => {
      const document = await find(video.videoId);
      const isQuoted = document.chapters.some(({ titleAtMs }) => titleAtMs !== undefined);
      return forApps(document, isQuoted ? await translationsOf(captions, video) : []);
    },
    /** In memory, about: two bytes a character, and the objects around it. */
    sizeOf: (document: MetadataOut): number => 4 * JSON.stringify(document).length,
  };
}

/** One after the other: those of a long video have megabytes. One that was replaced and removed meanwhile is left out. */
async function translationsOf(captions: Objects, { videoId, tracks }: LiveVideo): Promise<Transcript[]> {
  const found: Transcript[] = [];
  for (const { kind, textKey = '' } of tracks) {
    if (kind !== 'subtitles' || videoOf(textKey) !== videoId) continue;
    try {
      const { language, sentences } = await getDocument(captions, textKey, trackDocument);
      found.push({ language, sentences });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return found;
}
