/** Catalog as it runs: its own database, its own NATS, any number of processes; the test plays the other services. */
import { randomInt } from 'node:crypto';
import { events, type EventType } from '@vds/proto/events';
import type { MetadataCompletedOut } from '@vds/proto/generated/vds/metadata/v1/MetadataCompleted.ts';
import type { StageName } from '@vds/proto/stages';
import { terminalEvents, type Publish } from '@vds/proto/testing/terminal-events';
import { on, type Bus } from '@vds/chassis/bus/bus';
import { overlay } from '@vds/testkit/environments';
import { openTestPool, testDatabase } from '@vds/testkit/harness/database';
import { testNats } from '@vds/testkit/harness/nats';
import { openBus } from '@vds/testkit/harness/service-harness';
import { noAuth } from '@vds/testkit/harness/rpc-callers';
import { until } from '@vds/testkit/until';
import { callerEntries, serviceFolder, startProcess, type CatalogProcess } from './process.ts';
import { purgeOwners, others } from '../domain/stages.ts';

/** Times short enough for tests; none so short that the machine's load decides. */
const shortTimes = {
  TIME_SCALE: 'gateGrace=60s,deleteGrace=700ms,schedulerEvery=100ms,republishFirst=60s,decideAfterConnect=0s',
};

const catalogEvents = Object.keys(events).filter(
  (name) => events[name as keyof typeof events].owner === 'catalog',
) as (keyof typeof events)[];
export type PublishedEvent = {
  readonly name: keyof typeof events;
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** The fields of every request and every terminal event. */
type Terminal = Pick<MetadataCompletedOut, 'videoId' | 'attempt' | 'revision'>;
export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** A random id of the form that the gateway mints. */
export function newId(): string {
  return `0${Array.from({ length: 25 }, () => '0123456789abcdefghjkmnpqrstvwxyz'[randomInt(32)]).join('')}`;
}

/**
 * Starts everything.
 * @param env variables of catalog
 * @param replicas how many processes of it
 */
export async function startHarness(env: Readonly<Record<string, string>> = {}, replicas = 1) {
  const [database, nats] = await Promise.all([testDatabase(serviceFolder), testNats()]);
  const pool = openTestPool({ ...database.poolConfig, max: 4 });
  const buses = new Map(
    await Promise.all(
      purgeOwners.map(async (name) => [name, await openBus(nats.url, name, { streamCheckMs: 200 })] as const),
    ),
  );
  const busOf = (name: string): Bus => {
    const bus = buses.get(name);
    if (!bus) throw new Error(`${name} has no bus`);
    return bus;
  };
  let count = 0;
  const publish: Publish = async (event, payload) => {
    const id = `event-${++count}-${process.pid}`;
    const isPublished = () =>
      busOf(event.owner)
        .publish(event, payload, id)
        .then(() => true);
    await until(isPublished, { what: `${event.subject} is published` });
  };
  const published = record(busOf('ingest'), completeOthers(publish));
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startProcess(
      overlay(
        {
          DATABASE_URL: database.url,
          DATABASE_PASSWORD: database.password,
          NATS_URL: nats.url,
          RPC_CALLERS: callerEntries,
        },
        noAuth,
        shortTimes,
        env,
        more,
      ),
    );
  const processes: CatalogProcess[] = await Promise.all(Array.from({ length: replicas }, () => start()));
  return {
    database,
    pool,
    nats,
    published,
    processes,
    start,
    /** Publishes an event as its owner, with a unique message id. */
    publish,
    close: async (): Promise<void> => {
      await Promise.all([...processes.map((one) => one.kill9()), ...[...buses.values()].map((bus) => bus.close())]);
      await pool.end();
      await Promise.all([nats.remove(), database.drop()]);
    },
  };
}

/** Records every event of catalog in the order of arrival; `onEvent` is called with each. */
function record(bus: Bus, onEvent: (message: PublishedEvent) => Promise<void>): PublishedEvent[] {
  const published: PublishedEvent[] = [];
  const handlers = catalogEvents.map((name) =>
    on(events[name] as unknown as EventType<never, Record<string, unknown>>, async (payload, { id }) => {
      const message = { name, id, payload: { ...payload } };
      published.push(message);
      await onEvent(message);
    }),
  );
  bus.subscribe(handlers, { concurrency: 8 });
  return published;
}

/** Completes the stages that no test names as soon as they are requested, with the outputs of `terminalEvents`. */
function completeOthers(publish: Publish) {
  const complete = terminalEvents(publish, 0);
  return async ({ name, payload }: PublishedEvent): Promise<void> => {
    const stage = others.find((other) => name === `${other.name}Requested`);
    const { videoId, attempt, revision } = payload as Terminal;
    if (stage) await complete[stage.name as StageName](videoId, attempt, revision);
  };
}
