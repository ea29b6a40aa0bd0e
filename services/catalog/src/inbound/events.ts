/** Consumes the events of every stage and the confirmations of purges. Each becomes one decision. */
import { events, stageEvents, type EventType } from '@vds/proto/events';
import type { StageFailedOut } from '@vds/proto/generated/vds/common/v1/StageFailed.ts';
import type { StageProgressedOut } from '@vds/proto/generated/vds/common/v1/StageProgressed.ts';
import type { StageStartedOut } from '@vds/proto/generated/vds/common/v1/StageStarted.ts';
import type { VideoPurgedOut } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import { isFailureCode } from '@vds/proto/failures';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import { withLogFields, type Logger } from '@vds/chassis/telemetry/log';
import { isOfPurgedWork } from '../domain/purges.ts';
import { decideStageEvent, type StageEvent } from '../domain/stage-events.ts';
import { noCaptions } from '../domain/video.ts';
import type { PurgeLedger } from '../outbound/purge-ledger.ts';
import type { VideoStore } from '../outbound/video-store.ts';
import { parseTracks } from './parse-tracks.ts';

type Deps = PurgeLedger & {
  readonly change: VideoStore['change'];
  /** Called with the stage of each event. */
  readonly onEvent: (stage: string) => void;
  /** Called for a failure code that the table of failures does not have. */
  readonly onUnknownFailure: () => void;
  readonly log: Logger;
};
type Payload = { readonly videoId: string; readonly attempt: number; readonly revision?: number };
type StageRows<Completed> = {
  readonly started: EventType<never, StageStartedOut>;
  readonly progressed?: EventType<never, StageProgressedOut>;
  readonly completed: EventType<never, Completed>;
  readonly failed: EventType<never, StageFailedOut>;
};
/** The fields of one kind of event; video, attempt, request and stage are the same for all. */
type WithoutKey<E> = E extends StageEvent ? Omit<E, 'videoId' | 'attempt' | 'revision' | 'stage'> : never;

/** All durable handlers of catalog, for one `bus.subscribe`. */
export function durableHandlers(deps: Deps): EventHandler[] {
  return [...stageHandlers(deps), ...purgeHandlers(deps)];
}

function stageHandlers(deps: Deps): EventHandler[] {
  const forStage = stageHandlersOf(deps);
  return [
    handler(deps, 'fetch', events.headStored, ({ sourceKey, sourceBytes }) => ({
      type: 'reached',
      milestone: 'head',
      outputs: { sourceKey, sourceBytes },
    })),
    ...forStage('fetch', stageEvents.fetch, ({ sourceKey, sourceBytes, digest }) => ({
      type: 'completed',
      outputs: { sourceKey, sourceBytes, digest },
    })),
    ...forStage('inspect', stageEvents.inspect, ({ durationMs, hasAudio, warnings }) => ({
      type: 'completed',
      outputs: { durationMs, hasAudio },
      warnings,
    })),
    handler(deps, 'encode', events.audioCompleted, ({ hasAudio, playlistKey }) => ({
      type: 'reached',
      milestone: 'audio',
      outputs: { hasAudio, audioPlaylistKey: playlistKey },
    })),
    ...forStage(
      'encode',
      stageEvents.encode,
      ({ ladderKey, thumbnailKey, durationMs, hasAudio, audioPlaylistKey, storedBytes }) => ({
        type: 'completed',
        outputs: {
          ladderKey,
          thumbnailKey,
          storedBytes,
          ...(durationMs > 0 && { durationMs }),
          ...(hasAudio !== undefined && { hasAudio, audioPlaylistKey }),
        },
      }),
    ),
    handler(deps, 'captions', events.tracksChanged, ({ state }) => ({
      type: 'tracks',
      captions: parseTracks(state, deps.log) ?? noCaptions,
    })),
    ...forStage('captions', stageEvents.captions, ({ state }) => {
      const captions = parseTracks(state, deps.log);
      return { type: 'completed', outputs: {}, ...(captions && { captions }) };
    }),
    ...forStage('metadata', stageEvents.metadata),
  ];
}

/** The handlers of the events that every stage has; `completed` translates what the stage completed with. */
function stageHandlersOf(deps: Deps) {
  return <Out extends Payload>(
    stage: string,
    rows: StageRows<Out>,
    completed: (out: Out) => WithoutKey<StageEvent> = () => ({ type: 'completed', outputs: {} }),
  ): EventHandler[] => [
    handler(deps, stage, rows.started, () => ({ type: 'started' })),
    ...(rows.progressed
      ? [
          handler(deps, stage, rows.progressed, ({ percent, waiting }) => ({
            ...{ type: 'progressed', percent },
            waiting: waiting === '' ? null : waiting,
          })),
        ]
      : []),
    handler(deps, stage, rows.completed, completed),
    handler(deps, stage, rows.failed, ({ code, details }) => failure(deps, code, details)),
  ];
}

/** Translates an event of a stage's owner into domain/stage-events.ts, and decides on it. */
function handler<Out extends Payload>(
  { change, repeatPurge, onEvent, log }: Deps,
  stage: string,
  type: EventType<never, Out>,
  translate: (out: Out) => WithoutKey<StageEvent>,
): EventHandler {
  return on(type, ({ ...out }) => {
    onEvent(stage);
    const { videoId, attempt, revision = 0 } = out;
    return withLogFields({ video_id: videoId }, async () => {
      const event: StageEvent = { videoId, attempt, revision, stage, ...translate(out) };
      const by = { actor: 'catalog', action: `${stage} ${event.type}` };
      const changed = await change(videoId, (snapshot, context) => decideStageEvent(snapshot, event, context), by);
      if (!changed) return log.warn({ stage, event: event.type }, 'event of an unknown video');
      const isPurged = isOfPurgedWork(changed.snapshot.video, event);
      if (isPurged && (await repeatPurge({ videoId, owner: type.owner, attempt })))
        log.warn({ stage, attempt }, 'event about purged data: purge requested again');
    });
  });
}

/** Only codes of the table reach a partner, and details only with a code that is known. */
function failure({ log, onUnknownFailure }: Deps, code: string, details: Readonly<Record<string, string>>) {
  if (isFailureCode(code)) return { type: 'failed', code, details } as const;
  log.error({ code }, 'unknown failure code');
  onUnknownFailure();
  return { type: 'failed', code: 'internal_error', details: {} } as const;
}

function purgeHandlers({ confirmPurge, log }: Deps): EventHandler[] {
  return [
    events.ingestVideoPurged,
    events.transcodeVideoPurged,
    events.captionsVideoPurged,
    events.metadataVideoPurged,
    events.indexerVideoPurged,
  ].map((event) =>
    on(event, async ({ videoId, scope, requestId }: VideoPurgedOut) => {
      const { owner } = event;
      const wasOpen = await confirmPurge({ videoId, owner, requestId });
      log.debug({ video_id: videoId, owner, scope, was_open: wasOpen }, 'purge confirmed');
    }),
  );
}
