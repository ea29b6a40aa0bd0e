/**
 * Stands in for the services that make media: hears every request of catalog under their own NATS users and answers at
 * once, or as a test has it. For stories about the contract, in which no media is made. Beside a real indexer it answers
 * for what that one reads of metadata, which has nothing, and of captions, whose tracks have no sentences.
 */
import { events, type EventType } from '@vds/proto/events';
import { PurgeScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import type { PurgeRequestedOut } from '@vds/proto/generated/vds/catalog/v1/PurgeRequested.ts';
import { lastWords, tracksAt, type Say } from '@vds/proto/testing/last-words';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { on, type Bus, type EventHandler } from '@vds/chassis/bus/bus';
import type { Objects } from '@vds/chassis/objects/objects';
import { until } from '@vds/testkit/until';
import {
  captionsBucket,
  failures,
  playedServices,
  progressFacts,
  purged,
  requests,
  seatOf,
  serveNoMetadata,
  startedFacts,
  type PlayedStage,
} from './seats.ts';

export type { PlayedStage } from './seats.ts';

/** What becomes of one asking of a stage: its last word at once, a failure, or nothing until the test speaks. */
export type Turn = 'complete' | 'hold' | { readonly fail: string; readonly details?: Readonly<Record<string, string>> };
export type Asked = { readonly videoId: string; readonly attempt: number; readonly revision: number };
export type Turns = (stage: PlayedStage, asked: Asked) => Turn;

export type Players = {
  /** Says a fact in the place of its owner. */
  readonly say: Say;
  /** The last word of each stage. */
  readonly complete: ReturnType<typeof lastWords>;
  readonly fail: (
    stage: PlayedStage,
    asked: Asked,
    code: string,
    details?: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Says that work on a stage has begun, and how far it is in percent. */
  readonly begin: (stage: PlayedStage, asked: Asked) => Promise<void>;
  readonly progress: (stage: keyof typeof progressFacts, asked: Asked, percent: number) => Promise<void>;
  /** What catalog asked last of a stage; waits for it. */
  readonly asked: (videoId: string, stage: PlayedStage, attempt?: number) => Promise<Asked>;
  /** From now on this video has turns of its own: what is held is decided anew at once. */
  readonly play: (videoId: string, turns: Turns) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type PlayerOptions = {
  /** Decides for each asking of a stage; completes everything by default. */
  readonly turn?: Turns;
  /** True where no indexer runs, which is seen by itself: its removals are confirmed in its place. */
  readonly indexer?: boolean;
  /** Of every video, or of each by its id; in milliseconds. */
  readonly durationMs?: number | ((videoId: string) => number);
};

/** Takes the seats of the services that a contract stack does not start. */
export async function seatPlayers(stack: Stack, options: PlayerOptions = {}): Promise<Players> {
  const indexerRuns = stack.processes.some(({ service }) => service === 'indexer');
  const { turn = () => 'complete', indexer = !indexerRuns, durationMs = 25_000 } = options;
  const services = [...playedServices, ...(indexer ? (['indexer'] as const) : [])];
  const seats = new Map<string, Bus>(
    await Promise.all(services.map(async (name) => [name, await seatOf(stack, name)] as const)),
  );
  const noMetadata = indexerRuns ? await serveNoMetadata(stack) : undefined;
  const bucket = indexerRuns ? captionsBucket(stack) : undefined;
  const voice = speaker(seats, typeof durationMs === 'number' ? () => durationMs : durationMs);
  const book = openBook();
  const own = new Map<string, Turns>();
  const answer = async (stage: PlayedStage, asked: Asked): Promise<void> => {
    book.note(stage, asked);
    const { videoId, attempt, revision } = asked;
    const what = (own.get(videoId) ?? turn)(stage, asked);
    if (what === 'hold') return book.hold(stage, asked);
    if (what !== 'complete') return voice.fail(stage, asked, what.fail, what.details);
    if (stage === 'captions' && bucket) await writeTracks(bucket, asked);
    if (stage === 'encode')
      await voice.say(events.audioCompleted, { videoId, attempt, hasAudio: true, playlistKey: 'a' });
    await voice.complete[stage](videoId, attempt, revision);
  };
  for (const name of services) seats.get(name)?.subscribe(earsOf(name, answer, voice.say), { concurrency: 16 });
  return {
    ...voice,
    asked: book.asked,
    play: async (videoId, turns) => {
      own.set(videoId, turns);
      await Promise.all(book.take(videoId).map(([stage, asked]) => answer(stage, asked)));
    },
    close: async () => {
      await Promise.all([...seats.values()].map((seat) => seat.close()));
      await noMetadata?.close();
    },
  };
}

/** Facts in their owners' place, each under an id that no other has. */
function speaker(seats: ReadonlyMap<string, Bus>, durationOf: (videoId: string) => number) {
  let count = 0;
  const say: Say = async (event, payload) => {
    const seat = seats.get(event.owner);
    if (!seat) throw new Error(`nobody sits in the place of ${event.owner}`);
    await seat.publish(event, payload, `played-${process.pid}-${++count}`);
  };
  const words = (videoId: string) => lastWords(say, durationOf(videoId));
  const complete: Players['complete'] = {
    ...lastWords(say, 0),
    inspect: (videoId, attempt) => words(videoId).inspect(videoId, attempt),
    encode: (videoId, attempt) => words(videoId).encode(videoId, attempt),
  };
  const fail: Players['fail'] = (stage, { videoId, attempt, revision }, code, details = {}) =>
    say(failures[stage], { videoId, attempt, revision, code, details: { ...details } });
  const begin: Players['begin'] = (stage, { videoId, attempt, revision }) =>
    say(startedFacts[stage], { videoId, attempt, revision });
  const progress: Players['progress'] = (stage, { videoId, attempt, revision }, percent) =>
    say(progressFacts[stage], { videoId, attempt, revision, percent });
  return { say, complete, fail, begin, progress };
}

/** What was asked last of each stage, and which of it nobody has answered. */
function openBook() {
  const asked = new Map<string, Asked>();
  const held = new Map<string, readonly [PlayedStage, Asked]>();
  return {
    note: (stage: PlayedStage, one: Asked): void => void asked.set(`${one.videoId} ${stage}`, one),
    hold: (stage: PlayedStage, one: Asked): void => void held.set(`${one.videoId} ${stage}`, [stage, one]),
    /** What is held of a video, once. */
    take: (videoId: string): (readonly [PlayedStage, Asked])[] => {
      const found = [...held].filter(([, [, one]]) => one.videoId === videoId);
      for (const [key] of found) held.delete(key);
      return found.map(([, one]) => one);
    },
    asked: (videoId: string, stage: PlayedStage, attempt = 1): Promise<Asked> =>
      until(
        () => {
          const one = asked.get(`${videoId} ${stage}`);
          return one && one.attempt >= attempt ? one : undefined;
        },
        { what: `catalog asks for ${stage} of ${videoId}`, capMs: 60_000, everyMs: 10 },
      ),
  };
}

/** The tracks that captions is about to tell of, for an indexer that reads them. */
async function writeTracks(bucket: Objects, { videoId, attempt }: Asked): Promise<void> {
  const keys = tracksAt(videoId, 2, attempt).tracks?.flatMap(({ textKey }) => textKey ?? []) ?? [];
  const text = JSON.stringify({ sentences: [] });
  await Promise.all(keys.map((key) => bucket.putBytes(key, text, { contentType: 'application/json' })));
}

/** Every request that a service hears, and the removals. */
function earsOf(
  service: keyof typeof purged,
  answer: (stage: PlayedStage, asked: Asked) => Promise<void>,
  say: Say,
): EventHandler[] {
  const asks = service === 'indexer' ? {} : requests[service];
  const confirm = async ({ videoId, owners, scope, keepAttempt }: PurgeRequestedOut): Promise<void> => {
    if (!owners.includes(service)) return;
    await say(purged[service], { videoId, scope: scope ?? PurgeScope.PURGE_SCOPE_VIDEO, keepAttempt });
  };
  return [
    ...Object.entries(asks).map(([stage, event]) =>
      on(event as unknown as EventType<never, Asked>, (asked) =>
        answer(stage as PlayedStage, { ...asked, revision: asked.revision ?? 0 }),
      ),
    ),
    on(events.purgeRequested, confirm),
  ];
}
