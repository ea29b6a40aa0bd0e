/** What catalog hears: the facts of every stage, and the answers to removals. Each becomes one decision. */
import { events, type EventType } from '@vds/proto/events';
import type { VideoPurgedOut } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import { isFailureCode } from '@vds/proto/failures';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import { withLogFacts, type Logger } from '@vds/chassis/telemetry/log';
import { decideStageEvent, type StageEvent } from '../domain/stage-events.ts';
import type { PurgeScope } from '../domain/purges.ts';
import type { PurgeAnswer } from '../outbound/confirm-purge.ts';
import { noCaptions } from '../domain/video.ts';
import type { Playables } from '../outbound/playables.ts';
import type { VideoStore } from '../outbound/video-store.ts';
import { parseTracks } from './parse-tracks.ts';

type Deps = {
  readonly change: VideoStore['change'];
  readonly confirmPurge: (answer: PurgeAnswer) => Promise<boolean>;
  /** Called for a failure code that the table of failures does not know. */
  readonly unknownFailure: () => void;
  readonly log: Logger;
};
type Told = { readonly videoId: string; readonly attempt: number; readonly revision?: number };
type About = Pick<StageEvent, 'videoId' | 'attempt' | 'revision' | 'stage'>;
/** What is particular to a fact; video, attempt, asking and stage are the same for all. */
type Particular = StageEvent extends infer F ? (F extends StageEvent ? Omit<F, keyof About> : never) : never;

/** For `bus.watch`: what another replica has changed is not answered from this one's memory. */
export function broadcastHandlers({ drop }: Pick<Playables, 'drop'>): readonly EventHandler[] {
  return [on(events.videoChanged, async ({ videoId, version }) => drop(videoId, version))];
}

/** All durable handlers of catalog, for one `bus.subscribe`. */
export function durableHandlers(deps: Deps): EventHandler[] {
  return [...stageHandlers(deps), ...attachedStageHandlers(deps), ...purgeHandlers(deps)];
}

/** Facts of the stages that every video goes through. */
function stageHandlers(deps: Deps): EventHandler[] {
  const { handler, failed } = createHandlers(deps);
  return [
    handler('fetch', events.fetchStarted, started),
    handler('fetch', events.fetchProgressed, progressed),
    handler('fetch', events.fetchCompleted, ({ sourceKey, sourceBytes, digest }) => ({
      type: 'completed',
      outputs: { sourceKey, sourceBytes, digest },
    })),
    handler('fetch', events.fetchFailed, failed),
    handler('inspect', events.inspectStarted, started),
    handler('inspect', events.inspectCompleted, ({ durationMs, hasAudio, warnings }) => ({
      type: 'completed',
      outputs: { durationMs, hasAudio },
      warnings,
    })),
    handler('inspect', events.inspectFailed, failed),
    handler('encode', events.encodeStarted, started),
    handler('encode', events.encodeProgressed, progressed),
    handler('encode', events.audioCompleted, ({ hasAudio, playlistKey }) => ({
      type: 'reached',
      milestone: 'audio',
      outputs: { hasAudio, audioPlaylistKey: playlistKey },
    })),
    handler(
      'encode',
      events.encodeCompleted,
      ({ ladderKey, thumbnailKey, durationMs, hasAudio, audioPlaylistKey }) => ({
        type: 'completed',
        outputs: {
          ladderKey,
          thumbnailKey,
          ...(durationMs > 0 && { durationMs }),
          ...(hasAudio !== undefined && { hasAudio, audioPlaylistKey }),
        },
        ...(hasAudio !== undefined && { reached: ['audio'] }),
      }),
    ),
    handler('encode', events.encodeFailed, failed),
  ];
}

/** Makes handlers that translate events into those of domain/stage-events.ts. */
function createHandlers(deps: Deps) {
  return {
    handler: <Out extends Told>(
      stage: string,
      event: EventType<never, Out>,
      told: (out: Out) => Particular,
    ): EventHandler =>
      on(event, ({ ...out }) => {
        const { videoId, attempt, revision = 0 } = out;
        return withLogFacts({ video_id: videoId }, () =>
          take(deps, { videoId, attempt, revision, stage, ...told(out) }),
        );
      }),
    failed: (out: { code: string; details: Record<string, string> }) => failure(deps, out.code, out.details),
  };
}

async function take({ change, log }: Deps, fact: StageEvent): Promise<void> {
  const by = { actor: 'catalog', action: `${fact.stage} ${fact.type}` };
  const changed = await change(fact.videoId, (snapshot, around) => decideStageEvent(snapshot, fact, around), by);
  if (!changed) log.warn({ stage: fact.stage, fact: fact.type }, 'a fact about a video that does not exist');
}

/** Only codes of the table reach a partner, and details only with a code that is known. */
function failure({ log, unknownFailure }: Deps, code: string, details: Readonly<Record<string, string>>) {
  if (isFailureCode(code)) return { type: 'failed', code, details } as const;
  log.error({ code }, 'a failure code that the table does not know');
  unknownFailure();
  return { type: 'failed', code: 'internal_error', details: {} } as const;
}

function started() {
  return { type: 'started' } as const;
}

function progressed({ percent }: { percent: number }) {
  return { type: 'progressed', percent } as const;
}

/** Facts of the stages that a video can do without, and of the tracks, which may change after their stage has ended. */
function attachedStageHandlers(deps: Deps): EventHandler[] {
  const { handler, failed } = createHandlers(deps);
  return [
    handler('captions', events.captionsStarted, started),
    handler('captions', events.captionsProgressed, progressed),
    handler('captions', events.tracksChanged, ({ state }) => ({
      type: 'tracks',
      captions: parseTracks(state, deps.log) ?? noCaptions,
    })),
    handler('captions', events.captionsCompleted, ({ state }) => {
      const captions = parseTracks(state, deps.log);
      return { type: 'completed', outputs: {}, ...(captions && { captions }) };
    }),
    handler('captions', events.captionsFailed, failed),
    handler('metadata', events.metadataStarted, started),
    handler('metadata', events.metadataProgressed, progressed),
    handler('metadata', events.metadataCompleted, () => ({ type: 'completed', outputs: {} })),
    handler('metadata', events.metadataFailed, failed),
  ];
}

function purgeHandlers({ confirmPurge, log }: Deps): EventHandler[] {
  return [
    events.ingestVideoPurged,
    events.transcodeVideoPurged,
    events.captionsVideoPurged,
    events.metadataVideoPurged,
    events.indexerVideoPurged,
  ].map((event) =>
    on(event, async ({ videoId, scope, keepAttempt }: VideoPurgedOut) => {
      const answer = {
        videoId,
        owner: event.owner,
        keepAttempt,
        scope: scope.replace('PURGE_SCOPE_', '') as PurgeScope,
      };
      const waited = await confirmPurge(answer);
      log.debug({ video_id: videoId, owner: event.owner, scope, waited }, 'a removal was answered');
    }),
  );
}
