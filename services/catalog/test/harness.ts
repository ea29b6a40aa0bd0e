/** Catalog as it runs: its own database, its own NATS, any number of processes, and the test in the place of its neighbours. */
import { randomInt } from 'node:crypto';
import { events, type EventType } from '@vds/proto/events';
import type { MetadataCompletedOut } from '@vds/proto/generated/vds/metadata/v1/MetadataCompleted.ts';
import type { Say } from '@vds/proto/testing/last-words';
import { connectBus, on, type Bus } from '@vds/chassis/bus/bus';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { testDatabase } from '@vds/testkit/harness/database';
import { testNats, type TestNats } from '@vds/testkit/harness/nats';
import { until } from '@vds/testkit/until';
import pg from 'pg';
import { callerEntries, room, startProcess, type CatalogProcess } from './process.ts';
import { eventOf, keepers, others } from './stages.ts';

/** Times short enough for tests; none so short that the machine's load decides. */
const shortTimes = {
  GATE_GRACE: '60s',
  DELETE_GRACE: '700ms',
  CLOCK_TICK: '100ms',
  REMIND_FIRST: '60s',
  REMIND_EVERY: '60s',
};

const catalogSays = Object.keys(events).filter(
  (name) => events[name as keyof typeof events].owner === 'catalog',
) as (keyof typeof events)[];
export type Heard = {
  readonly name: keyof typeof events;
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** What every request and every last word tells. */
type Last = Pick<MetadataCompletedOut, 'videoId' | 'attempt' | 'revision'>;
export type House = Awaited<ReturnType<typeof startHarness>>;

/** A random id of the form that the gateway mints. */
export function newId(): string {
  return Array.from({ length: 26 }, () => '0123456789abcdefghjkmnpqrstvwxyz'[randomInt(32)]).join('');
}

/**
 * Starts everything.
 * @param env variables of catalog
 * @param replicas how many processes of it
 */
export async function startHarness(env: Readonly<Record<string, string>> = {}, replicas = 1) {
  const [database, nats] = await Promise.all([testDatabase(room), testNats()]);
  const pool = new pg.Pool({ ...database.poolConfig, max: 4 });
  const seats = new Map(await Promise.all(keepers.map(async (name) => [name, await seat(nats, name)] as const)));
  const seatOf = (name: string): Bus => {
    const bus = seats.get(name);
    if (!bus) throw new Error(`${name} has no seat`);
    return bus;
  };
  let count = 0;
  const say: Say = async (event, payload) => {
    const id = `fact-${++count}-${process.pid}`;
    const said = () =>
      seatOf(event.owner)
        .publish(event, payload, id)
        .then(() => true);
    await until(said, { what: `${event.subject} is said` });
  };
  const heard = listenTo(seatOf('ingest'), standIn(say));
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startProcess({
      DATABASE_URL: database.url,
      DATABASE_PASSWORD: database.password,
      NATS_URL: nats.url,
      RPC_CALLERS: callerEntries,
      ...shortTimes,
      ...env,
      ...more,
    });
  const processes: CatalogProcess[] = await Promise.all(Array.from({ length: replicas }, () => start()));
  return {
    database,
    pool,
    nats,
    heard,
    processes,
    start,
    /** Says a fact in the place of its owner, with a message id that no other has. */
    say,
    close: async (): Promise<void> => {
      await Promise.all([...processes.map((one) => one.kill9()), ...[...seats.values()].map((bus) => bus.close())]);
      await pool.end();
      await Promise.all([nats.remove(), database.drop()]);
    },
  };
}

/** A neighbour's seat on the bus, with its own stream. */
async function seat(nats: TestNats, service: string): Promise<Bus> {
  const options = {
    natsUrl: nats.url,
    natsUser: undefined,
    natsPassword: undefined,
    natsReplicas: 1,
    natsStreamBytes: 2 ** 30,
  };
  const log = createLogger(service, 'error');
  const bus = await connectBus({ ...options, service, log, metrics: createMetrics(service), streamCheckMs: 200 });
  await bus.ownStream();
  return bus;
}

/** Keeps everything that catalog says, in the order in which it was heard; `heed` is told of each. */
function listenTo(bus: Bus, heed: (message: Heard) => Promise<void>): Heard[] {
  const heard: Heard[] = [];
  const ears = catalogSays.map((name) =>
    on(events[name] as unknown as EventType<never, Record<string, unknown>>, async (payload, { id }) => {
      const message = { name, id, payload: { ...payload } };
      heard.push(message);
      await heed(message);
    }),
  );
  bus.subscribe(ears, { concurrency: 8 });
  return heard;
}

/** Speaks for the stages that no test speaks of: each ends as soon as it is asked for. */
function standIn(say: Say) {
  const words = new Map(
    others.map(({ name, owner }) => [`${name}Requested`, eventOf<Last>(`${owner}.${name}.completed.v1`)]),
  );
  return async ({ name, payload }: Heard): Promise<void> => {
    const word = words.get(name);
    const { videoId, attempt, revision } = payload as Last;
    if (word) await say(word, { videoId, attempt, revision });
  };
}
