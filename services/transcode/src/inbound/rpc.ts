/** gRPC: the ladder of a video, and what can be played before it is finished, for other services. */
import { transcode } from '@vds/proto';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import { previewOf } from '../domain/hls/preview.ts';
import { notFound } from '@vds/chassis/errors';
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
      GetLadder: ['catalog', 'playback', 'captions', 'metadata', 'indexer'],
      GetPreview: ['playback'],
    },
    {
      GetLadder: async ({ videoId }) => {
        const { document, attempt, ladderKey, thumbnailKey } = await find(videoId);
        const prefix = attemptPrefix(videoId, attempt);
        return {
          videoId,
          attempt,
          durationMs: document.durationMs,
          ladderKey,
          thumbnailKey,
          rungs: document.rungs.map(({ playlist, ...rung }) => ({ ...rung, playlistKey: `${prefix}${playlist}` })),
          audio: document.audio && {
            bandwidth: document.audio.bandwidth,
            codecs: document.audio.codecs,
            playlistKey: `${prefix}${document.audio.playlist}`,
          },
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
