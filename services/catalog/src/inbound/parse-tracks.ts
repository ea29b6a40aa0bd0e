/** What captions tells of its tracks, in the words of domain/video.ts. */
import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { TrackStateOut } from '@vds/proto/generated/vds/captions/v1/TrackState.ts';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Captions, Track } from '../domain/video.ts';

const kinds = ['captions', 'subtitles'] as const satisfies readonly Track['kind'][];
const statuses = ['processing', 'ready', 'failed', 'skipped'] as const satisfies readonly Track['status'][];

/** Undefined where nothing was told; a track whose words are not known is logged and left out. */
export function parseTracks(state: TrackStateOut | null, log: Logger): Captions | undefined {
  if (state === null) return undefined;
  const captions = state.tracks.flatMap((told) => {
    const track = trackOf(told);
    if (!track)
      log.error({ language: told.language, kind: told.kind, status: told.status }, 'a track of unknown words');
    return track ?? [];
  });
  return {
    captions,
    captionsRevision: state.revision,
    transcriptKey: state.transcriptKey ?? null,
    transcriptRevision: state.transcriptRevision,
  };
}

/** Undefined for words that the partner's contract does not have. */
function trackOf(told: TrackOut): Track | undefined {
  const kind = kinds.find((word) => word === told.kind);
  const status = statuses.find((word) => word === told.status);
  if (kind === undefined || status === undefined) return undefined;
  return {
    language: told.language,
    kind,
    status,
    reason: told.reason ?? null,
    name: told.name,
    playlistKey: told.playlistKey ?? null,
    textKey: told.textKey ?? null,
    path: told.path,
  };
}
