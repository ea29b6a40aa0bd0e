/** The metrics of captions in addition to the chassis's. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { TrackState } from '../domain/track.ts';

/** `english`: speech translated into English by the speech engine. */
export type EngineCallKind = 'speech' | 'english' | 'translation';

export function createCaptionsMetrics(metrics: Metrics) {
  const tracks = metrics.counter('vds_captions_tracks_total', 'Tracks that ended', ['status', 'reason']);
  const speech = metrics.counter('vds_captions_speech_seconds_total', 'Seconds of audio transcribed');
  const seconds = metrics.histogram('vds_captions_engine_seconds', 'Duration of a call to an engine', [
    'engine',
    'kind',
  ]);
  const errors = metrics.counter('vds_captions_engine_errors_total', 'Failed calls to an engine', ['engine', 'class']);
  return {
    speechTranscribed: (ms: number): void => speech.inc(ms / 1_000),
    engineTimer: (engine: string, kind: EngineCallKind) => seconds.startTimer({ engine, kind }),
    engineFailed: (engine: string, code: string): void => errors.inc({ engine, class: code.toLowerCase() }),
    /** Counts the tracks that ended between two states. */
    tracksEnded: (before: TrackState, after: TrackState): void => {
      for (const [index, track] of after.tracks.entries()) {
        const previous = before.tracks[index];
        if (track.status === 'processing') continue;
        if (previous?.status === track.status && previous.playlistKey === track.playlistKey) continue;
        tracks.inc({ status: track.status, reason: track.reason ?? '' });
      }
    },
  };
}
export type CaptionsMetrics = ReturnType<typeof createCaptionsMetrics>;
