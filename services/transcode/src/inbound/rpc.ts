/** gRPC: the ladder of a video, for other services. */
import { transcode } from '@vds/proto';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import type { SavedLadder } from '../outbound/encode-rows.ts';

/** @param find reads the ladder of a video; throws NOT_FOUND */
export function transcodeService(find: (videoId: string) => Promise<SavedLadder>): Served {
  return service<TranscodeServiceHandlers>(
    transcode.TranscodeService.service,
    { GetLadder: ['catalog', 'playback', 'captions', 'metadata', 'indexer'] },
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
    },
  );
}
