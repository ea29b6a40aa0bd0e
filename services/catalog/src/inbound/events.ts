/** What catalog hears: the facts of every stage, and the answers to removals. Each becomes one decision. */
import { events, type EventType } from '@vds/proto/events';
import type { VideoPurgedOut } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import { isFailureCode } from '@vds/proto/failures';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import { withLogFacts, type Logger } from '@vds/chassis/telemetry/log';
import { decideFact, type Fact } from '../domain/facts.ts';
import type { PurgeScope } from '../domain/purges.ts';
import type { PurgeAnswer } from '../outbound/confirm-purge.ts';
import { noCaptions } from '../domain/video.ts';
import type { Playables } from '../outbound/playables.ts';
import type { VideoStore } from '../outbound/video-store.ts';
import { toldTracks } from './told-tracks.ts';

type Deps = {
  readonly change: VideoStore['change'];
  readonly confirmPurge: (answer: PurgeAnswer) => Promise<boolean>;
  /** Called for a failure code that the table of failures does not know. */
  readonly unknownFailure: () => void;
  readonly log: Logger;
};
type Told = { readonly videoId: string; readonly attempt: number; readonly revision?: number };
type About = Pick<Fact, 'videoId' | 'attempt' | 'revision' | 'stage'>;
/** What is particular to a fact; video, attempt, asking and stage are the same for all. */
type Particular = Fact extends infer F ? (F extends Fact ? Omit<F, keyof About> : never) : never;

/** For `bus.watch`: what another replica has changed is not answered from this one's memory. */
export function broadcastHandlers({ drop }: Pick<Playables, 'drop'>): readonly EventHandler[] {
  return [on(events.videoChanged, async ({ videoId, version }) => drop(videoId, version))];
}

/** All ears of catalog, for one `bus.subscribe`. */
export function durableHandlers(hearing: Deps): EventHandler[] {
  return [...factEars(hearing), ...attachedEars(hearing), ...purgedEars(hearing)];
}

/** Facts of the stages that every video goes through. */
function factEars(hearing: Deps): EventHandler[] {
  const { ear, failed } = ears(hearing);
  return [
    ear('fetch', events.fetchStarted, started),
    ear('fetch', events.fetchProgressed, progressed),
    ear('fetch', events.fetchCompleted, ({ sourceKey, sourceBytes, digest }) => ({
      type: 'completed',
      outputs: { sourceKey, sourceBytes, digest },
    })),
    ear('fetch', events.fetchFailed, failed),
    ear('inspect', events.inspectStarted, started),
    ear('inspect', events.inspectCompleted, ({ durationMs, hasAudio, warnings }) => ({
      type: 'completed',
      outputs: { durationMs, hasAudio },
      warnings,
    })),
    ear('inspect', events.inspectFailed, failed),
    ear('encode', events.encodeStarted, started),
    ear('encode', events.encodeProgressed, progressed),
    ear('encode', events.audioCompleted, ({ hasAudio, playlistKey }) => ({
      type: 'reached',
      milestone: 'audio',
      outputs: { hasAudio, audioPlaylistKey: playlistKey },
    })),
    ear('encode', events.encodeCompleted, ({ ladderKey, thumbnailKey, durationMs, hasAudio, audioPlaylistKey }) => ({
      type: 'completed',
      outputs: {
        ladderKey,
        thumbnailKey,
        ...(durationMs > 0 && { durationMs }),
        ...(hasAudio !== undefined && { hasAudio, audioPlaylistKey }),
      },
      ...(hasAudio !== undefined && { reached: ['audio'] }),
    })),
    ear('encode', events.encodeFailed, failed),
  ];
}

/** Makes ears that put a fact into the words of domain/facts.ts. */
function ears(hearing: Deps) {
  return {
    ear: <Out extends Told>(
      stage: string,
      event: EventType<never, Out>,
      told: (out: Out) => Particular,
    ): EventHandler =>
      on(event, ({ ...out }) => {
        const { videoId, attempt, revision = 0 } = out;
        return withLogFacts({ video_id: videoId }, () =>
          take(hearing, { videoId, attempt, revision, stage, ...told(out) }),
        );
      }),
    failed: (out: { code: string; details: Record<string, string> }) => failure(hearing, out.code, out.details),
  };
}

async function take({ change, log }: Deps, fact: Fact): Promise<void> {
  const by = { actor: 'catalog', action: `${fact.stage} ${fact.type}` };
  const changed = await change(fact.videoId, (snapshot, around) => decideFact(snapshot, fact, around), by);
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
function attachedEars(hearing: Deps): EventHandler[] {
  const { ear, failed } = ears(hearing);
  return [
    ear('captions', events.captionsStarted, started),
    ear('captions', events.captionsProgressed, progressed),
    ear('captions', events.tracksChanged, ({ state }) => ({
      type: 'tracks',
      captions: toldTracks(state, hearing.log) ?? noCaptions,
    })),
    ear('captions', events.captionsCompleted, ({ state }) => {
      const captions = toldTracks(state, hearing.log);
      return { type: 'completed', outputs: {}, ...(captions && { captions }) };
    }),
    ear('captions', events.captionsFailed, failed),
    ear('metadata', events.metadataStarted, started),
    ear('metadata', events.metadataProgressed, progressed),
    ear('metadata', events.metadataCompleted, () => ({ type: 'completed', outputs: {} })),
    ear('metadata', events.metadataFailed, failed),
  ];
}

function purgedEars({ confirmPurge, log }: Deps): EventHandler[] {
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
