/** Shared by the tests of the chassis: a silent logger, settings, and events of a fictitious service. */
import type { EventType } from '@vds/proto/events';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { connectBus, type Bus, type BusOptions } from '../src/bus/bus.ts';
import { openPool } from '../src/database/database.ts';
import { createLogger } from '../src/telemetry/log.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { testNats, type TestNats } from '@vds/testkit/harness/nats';

export const quiet = createLogger('test', 'error');

export type Note = { readonly text: string };

/** An event of a fictitious owner, encoded as JSON. */
export function noteEvent(subject = 'alpha.note.created.v1'): EventType<Note, Note> {
  return {
    subject,
    message: 'test.Note',
    owner: subject.slice(0, subject.indexOf('.')),
    kind: 'fact',
    consumers: { beta: 'durable' },
    encode: (payload) => Buffer.from(JSON.stringify(payload)),
    decode: (data) => JSON.parse(Buffer.from(data).toString('utf8')) as Note,
  };
}

export function poolOf(database: TestDatabase) {
  return openPool(
    { databaseUrl: database.url, databasePassword: database.password, databasePoolSize: 20 },
    'test',
    quiet,
  );
}

/** A nats-server for each test, with the stream of `alpha`, and the buses that the test opens. */
export function useBuses() {
  let fixture: { readonly nats: TestNats; readonly owner: Bus };
  const buses: Bus[] = [];
  const openTracked = async (natsUrl: string, service: string, more: Partial<BusOptions> = {}): Promise<Bus> => {
    const bus = await openBus(natsUrl, service, more);
    buses.push(bus);
    return bus;
  };
  beforeEach(async () => {
    const nats = await testNats();
    const owner = await openTracked(nats.url, 'alpha');
    await owner.ownStream();
    fixture = { nats, owner };
  });
  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    await fixture.nats.remove();
  });
  return {
    fixture: () => fixture,
    /** A bus that is closed after the test. */
    open: (service: string, natsUrl = fixture.nats.url, more: Partial<BusOptions> = {}): Promise<Bus> =>
      openTracked(natsUrl, service, more),
  };
}

function openBus(natsUrl: string, service: string, more: Partial<BusOptions>): Promise<Bus> {
  return connectBus({
    natsUrl,
    natsUser: undefined,
    natsPassword: undefined,
    natsReplicas: 1,
    natsStreamBytes: 2 ** 30,
    service,
    log: quiet,
    metrics: createMetrics(service),
    streamCheckMs: 200,
    ...more,
  });
}
