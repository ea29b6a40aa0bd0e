/** gRPC: the ladder of a video for the operator, and what can be played before it is finished for playback. */
import { transcode } from '@vds/proto';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import { previewOf } from '../domain/hls/preview.ts';
import { notFound } from '@vds/chassis/errors';
import type { LadderAudio } from '@vds/proto/documents/ladder';
import type { Begun, SavedLadder } from '../outbound/encode-rows.ts';

type Reads = {
  /** The ladder of a video; throws NOT_FOUND. */
  readonly find: (videoId: string) => Promise<SavedLadder>;
  /** What there is of its latest attempt. */
  readonly findBegun: (videoId: string) => Promise<Begun | undefined>;
};

export function transcodeService({ find, findBegun }: Reads): Served {
  return service<TranscodeServiceHandlers>(
    transcode.TranscodeService.service,
    {
      GetLadder: ['vdsctl'],
      GetPreview: ['playback'],
    },
    {
      GetLadder: async ({ videoId }) => {
        const { document, attempt, ladderKey, thumbnailKey } = await find(videoId);
        const keyOf = (path: string): string => `${attemptPrefix(videoId, attempt)}${path}`;
        const { rungs, audio, alternates = [], original, chapters = [] } = document;
        return {
          videoId,
          attempt,
          durationMs: document.durationMs,
          ladderKey,
          thumbnailKey,
          rungs: rungs.map((rung) => ({ ...rung, playlistKey: keyOf(rung.playlist) })),
          audio: audio && { ...soundOf(audio), playlistKey: keyOf(audio.playlist) },
          alternates: alternates.map((track) => ({ ...soundOf(track), playlistKey: keyOf(track.playlist) })),
          ...(original && { original: { ...original, playlistKey: keyOf(original.playlist) } }),
          originalRange: original?.range ?? '',
          chapters: chapters.length,
        };
      },
      GetPreview: async ({ videoId }) => {
        const begun = await findBegun(videoId);
        const preview = begun && previewOf(begun.plan, begun.results);
        if (!preview) throw notFound(`anything to play of ${videoId}`);
        return { videoId, attempt: begun.attempt, ...preview };
      },
    },
  );
}

function soundOf({ bandwidth, codecs, language, title = '', role = 'main' }: LadderAudio) {
  return { bandwidth, codecs, language: language ?? '', title, role };
}
