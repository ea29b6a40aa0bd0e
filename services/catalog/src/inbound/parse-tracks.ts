/** Translates the track state of captions' events into domain/video.ts. */
import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { TrackStateOut } from '@vds/proto/generated/vds/captions/v1/TrackState.ts';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Captions, Track } from '../domain/video.ts';

const kinds = ['captions', 'subtitles'] as const satisfies readonly Track['kind'][];
const statuses = ['processing', 'ready', 'failed', 'skipped'] as const satisfies readonly Track['status'][];

/** Undefined without a state; a track of an unknown kind or status is logged and left out. */
export function parseTracks(state: TrackStateOut | null, log: Logger): Captions | undefined {
  if (state === null) return undefined;
  const captions = state.tracks.flatMap((out) => {
    const track = parseTrack(out);
    if (track) return track;
    log.error({ language: out.language, kind: out.kind, status: out.status }, 'unknown kind or status of a track');
    return [];
  });
  return {
    captions,
    captionsRevision: state.revision,
    transcriptKey: state.transcriptKey ?? null,
    transcriptRevision: state.transcriptRevision,
  };
}

function parseTrack(out: TrackOut): Track | undefined {
  const kind = kinds.find((known) => known === out.kind);
  const status = statuses.find((known) => known === out.status);
  if (kind === undefined || status === undefined) return undefined;
  const { language, provided, name, path, reason = null, playlistKey = null, textKey = null } = out;
  return { language, kind, ...(provided && { provided }), status, reason, name, playlistKey, textKey, path };
}
