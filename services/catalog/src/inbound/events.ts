/** Consumes the events of every stage and the confirmations of purges. Each becomes one decision. */
import { events, purgeConfirmations, stageEvents, type EventType } from '@vds/proto/events';
import { isFailureCode } from '@vds/proto/failures';
import { stageNames, type StageName } from '@vds/proto/stages';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import { withLogFields, type Logger } from '@vds/chassis/telemetry/log';
import { isOfPurgedWork } from '../domain/purges.ts';
import { decideStageEvent, type StageEvent } from '../domain/stage-events.ts';
import { outputsIn, type Outputs } from '../domain/stages.ts';
import { noCaptions } from '../domain/video.ts';
import type { Correction } from '../outbound/audit-rows.ts';
import type { PurgeLedger } from '../outbound/purge-ledger.ts';
import type { VideoStore } from '../outbound/video-store.ts';
import { parseTracks } from './parse-tracks.ts';

type Deps = PurgeLedger & {
  readonly change: VideoStore['change'];
  readonly addCorrection: (correction: Correction) => Promise<boolean>;
  /** Called with the stage of each event. */
  readonly onEvent: (stage: string) => void;
  /** Called for a failure code that the table of failures does not have. */
  readonly onUnknownFailure: () => void;
  readonly log: Logger;
};
type Payload = Outputs & { readonly videoId: string; readonly attempt: number; readonly revision?: number };
/** The completed events of all stages. */
type Completed = ReturnType<(typeof stageEvents)[StageName]['completed']['decode']>;
/** The fields of one kind of event; video, attempt, request and stage are the same for all. */
type WithoutKey<E> = E extends StageEvent ? Omit<E, 'videoId' | 'attempt' | 'revision' | 'stage'> : never;

/** All durable handlers of catalog, for one `bus.subscribe`. */
export function durableHandlers(deps: Deps): EventHandler[] {
  return [...stageHandlers(deps), correctionHandler(deps), ...purgeHandlers(deps)];
}

/** The handlers of every event of every stage. */
function stageHandlers(deps: Deps): EventHandler[] {
  return [
    ...stageNames.flatMap((stage) => {
      const { started, progressed, completed, failed, milestones } = stageEvents[stage];
      return [
        handler(deps, stage, started, () => ({ type: 'started' })),
        handler(deps, stage, progressed, ({ percent, waiting }) => ({
          ...{ type: 'progressed', percent },
          waiting: waiting === '' ? null : waiting,
        })),
        ...Object.entries<EventType<never, Payload>>(milestones).map(([milestone, reached]) =>
          handler(deps, stage, reached, (out) => ({ type: 'reached', milestone, outputs: outputsIn(out) })),
        ),
        handler<Completed>(deps, stage, completed, (out) => completion(deps, out)),
        handler(deps, stage, failed, ({ code, details }) => failure(deps, code, details)),
      ];
    }),
    handler(deps, 'captions', events.tracksChanged, ({ state }) => ({
      type: 'tracks',
      captions: parseTracks(state, deps.log) ?? noCaptions,
    })),
  ];
}

/** What a stage completed with, by the names of its event's fields. */
function completion({ log }: Deps, out: Completed): WithoutKey<StageEvent> {
  const captions = 'state' in out ? parseTracks(out.state, log) : undefined;
  return {
    ...{ type: 'completed', outputs: outputsIn(out) },
    ...('warnings' in out && { warnings: out.warnings }),
    ...(captions && { captions }),
  };
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

/** The staff's corrections of captions become rows of the audit. */
function correctionHandler({ addCorrection, log }: Deps): EventHandler {
  return on(events.trackCorrected, async ({ acceptedAt, ...correction }) => {
    if (await addCorrection({ ...correction, at: new Date(acceptedAt) })) return;
    log.warn({ video_id: correction.videoId }, 'correction of an unknown video');
  });
}

function purgeHandlers({ confirmPurge, log }: Deps): EventHandler[] {
  return purgeConfirmations.map((event) =>
    on(event, async ({ videoId, scope, requestId }) => {
      const { owner } = event;
      const wasOpen = await confirmPurge({ videoId, owner, requestId });
      log.debug({ video_id: videoId, owner, scope, was_open: wasOpen }, 'purge confirmed');
    }),
  );
}
