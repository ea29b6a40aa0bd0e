/**
 * Stands in for the services that make media: hears every request of catalog under their own NATS users and answers at
 * once, or as a test has it. For stories about the contract, in which no media is made.
 */
import { events, type EventType } from '@vds/proto/events';
import { PurgeScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import type { PurgeRequestedOut } from '@vds/proto/generated/vds/catalog/v1/PurgeRequested.ts';
import { lastWords, type Say } from '@vds/proto/testing/last-words';
import { openState, purposes, userName } from '@vds/scripts/house/state';
import type { House } from '@vds/scripts/house/start-house';
import { connectBus, hear, type Bus, type Ear } from '@vds/shared/bus';
import { createLogger } from '@vds/shared/log';
import { createMetrics } from '@vds/shared/metrics';

export const playedServices = ['ingest', 'transcode', 'captions', 'metadata'] as const;
type Played = (typeof playedServices)[number];
export type PlayedStage = 'fetch' | 'inspect' | 'encode' | 'captions' | 'metadata';

/** What becomes of one asking of a stage: its last word at once, a failure, or nothing until the test speaks. */
export type Turn = 'complete' | 'hold' | { readonly fail: string };
export type Asked = { readonly videoId: string; readonly attempt: number; readonly revision: number };

const noTls = { natsReplicas: 1, natsStreamBytes: 2 ** 28 } as const;
const failures = {
  fetch: events.fetchFailed,
  inspect: events.inspectFailed,
  encode: events.encodeFailed,
  captions: events.captionsFailed,
  metadata: events.metadataFailed,
} as const;
const purged = {
  ingest: events.ingestVideoPurged,
  transcode: events.transcodeVideoPurged,
  captions: events.captionsVideoPurged,
  metadata: events.metadataVideoPurged,
  indexer: events.indexerVideoPurged,
} as const;
const requests = {
  ingest: { fetch: events.fetchRequested },
  transcode: { inspect: events.inspectRequested, encode: events.encodeRequested },
  captions: { captions: events.captionsRequested },
  metadata: { metadata: events.metadataRequested },
} as const;

const seatOf = async (house: House, service: Played | 'indexer'): Promise<Bus> => {
  const state = openState(house.dir, house.name);
  const bus = await connectBus({
    ...noTls,
    natsUrl: house.servers.nats.url,
    natsUser: userName(house.name, service),
    natsPassword: state.secret(purposes.nats(service)),
    service,
    log: createLogger(service, 'error'),
    metrics: createMetrics(service),
  });
  await bus.ownStream();
  return bus;
};

export type Players = {
  /** Says a fact in the place of its owner. */
  readonly say: Say;
  /** The last word of each stage. */
  readonly complete: ReturnType<typeof lastWords>;
  readonly fail: (stage: PlayedStage, asked: Asked, code: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type PlayerOptions = {
  /** Decides for each asking of a stage; completes everything by default. */
  readonly turn?: (stage: PlayedStage, asked: Asked) => Turn;
  /** True where no indexer runs: its removals are confirmed in its place. */
  readonly indexer?: boolean;
  /** Of every video, in milliseconds. */
  readonly durationMs?: number;
};

/** Takes the seats of the services that a contract house does not start. */
export const seatPlayers = async (house: House, options: PlayerOptions = {}): Promise<Players> => {
  const { turn = () => 'complete', indexer = true, durationMs = 25_000 } = options;
  const services = [...playedServices, ...(indexer ? (['indexer'] as const) : [])];
  const seats = new Map(
    await Promise.all(services.map(async (name) => [name as string, await seatOf(house, name)] as const)),
  );
  let count = 0;
  const say: Say = async (event, payload) => {
    const seat = seats.get(event.owner);
    if (!seat) throw new Error(`nobody sits in the place of ${event.owner}`);
    await seat.publish(event, payload, `played-${process.pid}-${++count}`);
  };
  const complete = lastWords(say, durationMs);
  const fail: Players['fail'] = (stage, { videoId, attempt, revision }, code) =>
    say(failures[stage], { videoId, attempt, revision, code, details: {} });
  const answer = async (stage: PlayedStage, asked: Asked): Promise<void> => {
    const what = turn(stage, asked);
    if (what === 'hold') return;
    if (what !== 'complete') return fail(stage, asked, what.fail);
    const { videoId, attempt, revision } = asked;
    if (stage === 'encode') await say(events.audioCompleted, { videoId, attempt, hasAudio: true, playlistKey: 'a' });
    await complete[stage](videoId, attempt, revision);
  };
  const confirm = async (service: keyof typeof purged, asked: PurgeRequestedOut): Promise<void> => {
    if (!asked.owners.includes(service)) return;
    const { videoId, scope, keepAttempt } = asked;
    await say(purged[service], { videoId, scope: scope ?? PurgeScope.PURGE_SCOPE_VIDEO, keepAttempt });
  };
  for (const service of services) {
    const asks = service === 'indexer' ? {} : requests[service];
    const ears: Ear[] = [
      ...Object.entries(asks).map(([stage, event]) =>
        hear(event as unknown as EventType<never, Asked>, (asked) =>
          answer(stage as PlayedStage, { ...asked, revision: asked.revision ?? 0 }),
        ),
      ),
      hear(events.purgeRequested, (asked) => confirm(service, asked)),
    ];
    seats.get(service)?.subscribe(ears, { concurrency: 16 });
  }
  return {
    say,
    complete,
    fail,
    close: async () => void (await Promise.all([...seats.values()].map((seat) => seat.close()))),
  };
};
