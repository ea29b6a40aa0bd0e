/** gRPC: the tracks of a video, for other services, and what is said in it, for the platform's apps. */
import { captions } from '@vds/proto';
import type { CaptionsServiceHandlers } from '@vds/proto/generated/vds/captions/v1/CaptionsService.ts';
import type { Tracks } from '@vds/proto/generated/vds/captions/v1/Tracks.ts';
import type { TextCue } from '@vds/proto/documents/texts';
import type { LiveVideos } from '@vds/chassis/cache/live-videos';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { pageOf, trackIn } from '../domain/transcript-page.ts';
import { stateMessage } from '../outbound/publisher.ts';
import type { SavedTracks } from '../outbound/caption-rows.ts';

type Deps = {
  /** Reads the tracks of a video; throws NOT_FOUND. */
  readonly find: (videoId: string) => Promise<SavedTracks>;
  /** Reads the cues of a track by its language. */
  readonly live: Pick<LiveVideos<readonly TextCue[]>, 'find' | 'read'>;
};

export function captionsService({ find, live }: Deps): Served {
  return service<CaptionsServiceHandlers>(
    captions.CaptionsService.service,
    { GetTracks: ['metadata', 'indexer', 'vdsctl'], GetTranscript: ['apps'] },
    {
      GetTracks: async ({ videoId }) => tracksMessage(await find(videoId)),
      GetTranscript: async ({ videoId, languageCode, cursor }) => {
        const video = await live.find(videoId);
        const languages = video.tracks.map(({ language }) => language);
        const track = trackIn(video.tracks, languageCode);
        const { language = '', name = '', kind = '' } = track ?? {};
        const cues = track ? await live.read(video, language) : [];
        return { videoId, languageCode: language, name, kind, languages, ...pageOf(cues, cursor) };
      },
    },
  );
}

/** On the admin port. */
export function forOperator(served: Served): Served {
  return { ...served, callers: { GetTracks: ['vdsctl'] } };
}

export function tracksMessage({ videoId, attempt, state, updatedAt }: SavedTracks): Tracks {
  return { videoId, attempt, state: stateMessage(state), updatedAt: updatedAt.toISOString() };
}
