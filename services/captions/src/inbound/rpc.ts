/** gRPC: the tracks of a video, for other services. */
import { captions } from '@vds/proto';
import type { CaptionsServiceHandlers } from '@vds/proto/generated/vds/captions/v1/CaptionsService.ts';
import type { Tracks } from '@vds/proto/generated/vds/captions/v1/Tracks.ts';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { stateMessage } from '../outbound/publisher.ts';
import type { SavedTracks } from '../outbound/caption-rows.ts';

/**
 * Of the RPC port and of the admin port.
 * @param find reads the tracks of a video; throws NOT_FOUND
 */
export function captionsService(find: (videoId: string) => Promise<SavedTracks>): Served {
  return service<CaptionsServiceHandlers>(
    captions.CaptionsService.service,
    { GetTracks: ['metadata', 'indexer', 'vdsctl'] },
    { GetTracks: async ({ videoId }) => tracksMessage(await find(videoId)) },
  );
}

export function tracksMessage({ videoId, attempt, state, updatedAt }: SavedTracks): Tracks {
  return { videoId, attempt, state: stateMessage(state), updatedAt: updatedAt.toISOString() };
}
