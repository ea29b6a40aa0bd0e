/**
 * Replaces the workers: consumes every request of catalog under the workers' own NATS users and completes it at once,
 * or as a test decides. For tests of the contract, which process no media. With a real indexer it also serves what the
 * indexer reads: no metadata, and caption tracks without sentences.
 */
import { events, stageEvents, type EventType } from '@vds/proto/events';
import { PurgeScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import type { PurgeRequestedOut } from '@vds/proto/generated/vds/catalog/v1/PurgeRequested.ts';
import type { StageName } from '@vds/proto/stages';
import { terminalEvents, tracksAt, type Publish } from '@vds/proto/testing/terminal-events';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { on, type Bus, type EventHandler } from '@vds/chassis/bus/bus';
import type { Objects } from '@vds/chassis/objects/objects';
import { until } from '@vds/testkit/until';
import type { ServiceName } from '@vds/deploy-tools/services';
import {
  captionsBucket,
  connectAs,
  fakeServices,
  purgedEventOf,
  requestsOf,
  serveNoMetadata,
} from './fake-services.ts';

/** The reply to a request: its terminal event at once, a failure, or nothing until the test decides. */
export type StageReply =
  | 'complete'
  | 'hold'
  | { readonly fail: string; readonly details?: Readonly<Record<string, string>> };
export type StageRequest = { readonly videoId: string; readonly attempt: number; readonly revision: number };
export type StageReplies = (stage: StageName, request: StageRequest) => StageReply;

export type FakeWorkers = {
  /** Publishes an event in its owner's name. */
  readonly publish: Publish;
  /** The terminal event of each stage. */
  readonly complete: ReturnType<typeof terminalEvents>;
  readonly fail: (
    stage: StageName,
    request: StageRequest,
    code: string,
    details?: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Publishes that work on a stage has started, and its progress in percent. */
  readonly begin: (stage: StageName, request: StageRequest) => Promise<void>;
  readonly progress: (stage: StageName, request: StageRequest, percent: number) => Promise<void>;
  /** Catalog's latest request for a stage; waits for it. */
  readonly requestFor: (videoId: string, stage: StageName, attempt?: number) => Promise<StageRequest>;
  /** Overrides the replies for this video; held requests are decided again at once. */
  readonly setReplies: (videoId: string, replies: StageReplies) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type FakeWorkerOptions = {
  /** Decides the reply to each request; completes everything by default. */
  readonly reply?: StageReplies;
  /** True if no indexer runs, which is detected: its purges are then confirmed here. */
  readonly indexer?: boolean;
  /** Of every video, or of each by its id; in milliseconds. */
  readonly durationMs?: number | ((videoId: string) => number);
};

/** Starts fakes of the services that a contract stack does not start. */
export async function startFakeWorkers(stack: Stack, options: FakeWorkerOptions = {}): Promise<FakeWorkers> {
  const indexerRuns = stack.processes.some(({ service }) => service === 'indexer');
  const { reply = () => 'complete', indexer = !indexerRuns, durationMs = 25_000 } = options;
  const services = [...fakeServices, ...(indexer ? (['indexer'] as const) : [])];
  const connections = new Map<string, Bus>(
    await Promise.all(services.map(async (name) => [name, await connectAs(stack, name)] as const)),
  );
  const noMetadata = indexerRuns ? await serveNoMetadata(stack) : undefined;
  const bucket = indexerRuns ? captionsBucket(stack) : undefined;
  const publisher = openPublisher(connections, typeof durationMs === 'number' ? () => durationMs : durationMs);
  const requestLog = createRequestLog();
  const own = new Map<string, StageReplies>();
  const answer = async (stage: StageName, request: StageRequest): Promise<void> => {
    requestLog.note(stage, request);
    const { videoId, attempt, revision } = request;
    const what = (own.get(videoId) ?? reply)(stage, request);
    if (what === 'hold') return requestLog.hold(stage, request);
    if (what !== 'complete') return publisher.fail(stage, request, what.fail, what.details);
    if (stage === 'captions' && bucket) await writeTracks(bucket, request);
    if (stage === 'encode')
      await publisher.publish(events.audioCompleted, { videoId, attempt, hasAudio: true, audioPlaylistKey: 'a' });
    await publisher.complete[stage](videoId, attempt, revision);
  };
  for (const name of services)
    connections.get(name)?.subscribe(handlersOf(name, answer, publisher.publish), { concurrency: 16 });
  return {
    ...publisher,
    requestFor: requestLog.requestFor,
    setReplies: async (videoId, replies) => {
      own.set(videoId, replies);
      await Promise.all(requestLog.take(videoId).map(([stage, request]) => answer(stage, request)));
    },
    close: async () => {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
      await noMetadata?.close();
    },
  };
}

/** Publishes events in their owners' names, each with a unique message id. */
function openPublisher(connections: ReadonlyMap<string, Bus>, durationOf: (videoId: string) => number) {
  let count = 0;
  const publish: Publish = async (event, payload) => {
    const connection = connections.get(event.owner);
    if (!connection) throw new Error(`there is no fake of ${event.owner}`);
    await connection.publish(event, payload, `fake-${process.pid}-${++count}`);
  };
  const eventsOf = (videoId: string) => terminalEvents(publish, durationOf(videoId));
  const complete: FakeWorkers['complete'] = {
    ...terminalEvents(publish, 0),
    inspect: (videoId, attempt) => eventsOf(videoId).inspect(videoId, attempt),
    encode: (videoId, attempt) => eventsOf(videoId).encode(videoId, attempt),
  };
  const fail: FakeWorkers['fail'] = (stage, { videoId, attempt, revision }, code, details = {}) =>
    publish(stageEvents[stage].failed, { videoId, attempt, revision, code, details: { ...details } });
  const begin: FakeWorkers['begin'] = (stage, { videoId, attempt, revision }) =>
    publish(stageEvents[stage].started, { videoId, attempt, revision });
  const progress: FakeWorkers['progress'] = (stage, { videoId, attempt, revision }, percent) =>
    publish(stageEvents[stage].progressed, { videoId, attempt, revision, percent });
  return { publish, complete, fail, begin, progress };
}

/** The latest request for each stage, and those that are held. */
function createRequestLog() {
  const latest = new Map<string, StageRequest>();
  const held = new Map<string, readonly [StageName, StageRequest]>();
  return {
    note: (stage: StageName, one: StageRequest): void => void latest.set(`${one.videoId} ${stage}`, one),
    hold: (stage: StageName, one: StageRequest): void => void held.set(`${one.videoId} ${stage}`, [stage, one]),
    /** The held requests of a video, once. */
    take: (videoId: string): (readonly [StageName, StageRequest])[] => {
      const found = [...held].filter(([, [, one]]) => one.videoId === videoId);
      for (const [key] of found) held.delete(key);
      return found.map(([, one]) => one);
    },
    requestFor: (videoId: string, stage: StageName, attempt = 1): Promise<StageRequest> =>
      until(
        () => {
          const one = latest.get(`${videoId} ${stage}`);
          return one && one.attempt >= attempt ? one : undefined;
        },
        { what: `catalog requests ${stage} of ${videoId}`, capMs: 60_000, everyMs: 10 },
      ),
  };
}

/** Writes the tracks that captions is about to announce, for an indexer that reads them. */
async function writeTracks(bucket: Objects, { videoId, attempt }: StageRequest): Promise<void> {
  const keys = tracksAt(videoId, 2, attempt).tracks?.flatMap(({ textKey }) => textKey ?? []) ?? [];
  const text = JSON.stringify({ sentences: [] });
  await Promise.all(keys.map((key) => bucket.putBytes(key, text, { contentType: 'application/json' })));
}

/** Handlers of every request to a service, and of purges. */
function handlersOf(
  service: ServiceName,
  answer: (stage: StageName, request: StageRequest) => Promise<void>,
  publish: Publish,
): EventHandler[] {
  const confirm = async ({ videoId, owners, scope, keepAttempt, requestId }: PurgeRequestedOut): Promise<void> => {
    if (!owners.includes(service)) return;
    const purged = { videoId, scope: scope ?? PurgeScope.PURGE_SCOPE_VIDEO, keepAttempt, requestId };
    await publish(purgedEventOf(service), purged);
  };
  return [
    ...requestsOf(service).map(([stage, event]) =>
      on(event as EventType<never, StageRequest>, (request) =>
        answer(stage, { ...request, revision: request.revision ?? 0 }),
      ),
    ),
    on(events.purgeRequested, confirm),
  ];
}
