/** Two installations in one NATS account: each service has the printed permissions and its installation's prefix. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { events, type EventType } from '@vds/proto/events';
import { connectBus, on, type Bus } from '@vds/chassis/bus/bus';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { purposes, userName } from '@vds/deploy-tools/installation';
import { accountUsers, servicesWithNatsUser } from '@vds/deploy-tools/provision/nats-account';
import type { ServiceName } from '@vds/deploy-tools/services';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testNats, type TestNats } from '../harness/nats.ts';
import { until } from '../until.ts';
import { openState, type StackState } from './state.ts';

type Any = EventType<Record<string, unknown>, unknown>;
type Installation = {
  readonly prefix: string;
  readonly buses: ReadonlyMap<ServiceName, Bus>;
  /** `<service> <how> <subject>` of received messages. */
  readonly received: Set<string>;
  /** Ids of received messages. */
  readonly ids: Set<string>;
};
const table = Object.values(events) as unknown as Any[];
const silent = { write: (): void => {} };

describe('two installations in one NATS account', function () {
  this.timeout(60_000);
  const dir = mkdtempSync(join(tmpdir(), 'nats-prefix-'));
  // One without a prefix beside one with: the harder case, because its names are parts of the other's.
  const prefixes = ['', 'team-b'] as const;
  const installations: Installation[] = [];
  let nats: TestNats;
  let states: readonly StackState[];
  let admin: NatsConnection;
  const stopping = new AbortController();
  let jsm: JetStreamManager;

  const login = (at: number, service: ServiceName) => {
    const state = states[at] ?? expect.fail();
    return { natsUser: userName(state.name, service), natsPassword: state.secret(purposes.nats(service)) };
  };

  /** Every service of an installation, with every handler of the event table. */
  const open = async (prefix: string, at: number): Promise<Installation> => {
    const [received, ids] = [new Set<string>(), new Set<string>()];
    const buses = new Map<ServiceName, Bus>();
    for (const service of servicesWithNatsUser) {
      const settings = { natsUrl: nats.url, natsReplicas: 1, natsStreamBytes: 2 ** 26, service, natsPrefix: prefix };
      const tools = { log: createLogger(service, 'error', silent), metrics: createMetrics(service) };
      buses.set(service, await connectBus({ ...settings, ...login(at, service), ...tools }));
    }
    for (const [service, bus] of buses) if (table.some(({ owner }) => owner === service)) await bus.ownStream();
    for (const [service, bus] of buses) {
      const handlers = (how: 'durable' | 'watch') =>
        table
          .filter(({ consumers }) => consumers[service] === how)
          .map((event) =>
            on(event as EventType<never, unknown>, async (_payload, { id }) => {
              if (id.startsWith('bad')) throw new AppError('INVALID_ARGUMENT', 'bad on purpose');
              received.add(`${service} ${how} ${event.subject}`);
              ids.add(id);
            }),
          );
      bus.subscribe(handlers('durable'), { concurrency: 1 });
      bus.watch(handlers('watch'));
      for (const event of table.filter(({ consumers }) => consumers[service] === 'batches'))
        void bus.batches(
          {
            ...{ event: event as EventType<never, unknown>, limits: { maxMessages: 1, maxBytes: 1, everyMs: 100 } },
            store: async () => void received.add(`${service} batches ${event.subject}`),
          },
          stopping.signal,
        );
    }
    return { prefix, buses, received, ids };
  };
  const busOf = (at: number, service: ServiceName): Bus => installations[at]?.buses.get(service) ?? expect.fail();

  before(async () => {
    states = prefixes.map((_prefix, at) => openState(join(dir, String(at)), `i${at}`));
    const users = prefixes.flatMap((subjectPrefix, at) => accountUsers(states[at] ?? expect.fail(), { subjectPrefix }));
    const all = [...users, { user: 'admin', password: 'admin' }];
    nats = await testNats({ config: `accounts { shared { jetstream: enabled, users: ${JSON.stringify(all)} } }` });
    for (const [at, prefix] of prefixes.entries()) installations.push(await open(prefix, at));
    admin = await connect({ servers: nats.url, user: 'admin', pass: 'admin' });
    jsm = await jetstreamManager(admin);
  });
  after(async () => {
    stopping.abort();
    await admin?.close();
    await Promise.all(installations.flatMap(({ buses }) => [...buses.values()].map((bus) => bus.close())));
    await nats?.remove();
    rmSync(dir, { recursive: true });
  });

  it('each event reaches every consumer of its own installation, and none of the other', async () => {
    const wanted = table.flatMap(({ subject, consumers }) =>
      Object.entries(consumers).map(([who, how]) => `${who} ${how} ${subject}`),
    );
    let attempt = 0;
    await until(
      async () => {
        // A watch delivers only messages published after its start: repeat until every watcher has received one.
        attempt++;
        for (const at of prefixes.keys())
          for (const event of table)
            await busOf(at, event.owner as ServiceName).publish(event, {}, `${at}/${event.subject}/${attempt}`);
        return installations.every(({ received }) => wanted.every((one) => received.has(one)));
      },
      { what: 'every consumer has received every event', everyMs: 200, capMs: 40_000 },
    );
    for (const [at, { received, ids }] of installations.entries()) {
      expect([...received].sort()).to.deep.equal([...wanted].sort());
      expect([...ids].filter((id) => !id.startsWith(`${at}/`))).to.deep.equal([]);
    }
  });

  it('streams and subjects have the prefix on the server, and nowhere else', async () => {
    const names: string[] = [];
    for await (const { config } of jsm.streams.list()) names.push(`${config.name} ${config.subjects.join()}`);
    expect(names).to.include.members([
      'CATALOG catalog.>',
      'DEAD_CATALOG dead.catalog.>',
      'TEAM_B_CATALOG team-b.catalog.>',
      'TEAM_B_DEAD_CATALOG team-b.dead.catalog.>',
    ]);
    const last = async (stream: string) => (await jsm.streams.info(stream)).state.last_seq;
    const before = { own: await last('TEAM_B_CATALOG'), other: await last('CATALOG') };
    await busOf(1, 'catalog').publishRaw('catalog.video.changed.v1', new Uint8Array(), 'bad-position');
    expect(await last('TEAM_B_CATALOG')).to.equal(before.own + 1);
    expect(await last('CATALOG')).to.equal(before.other);
  });

  it('a dead letter stays in its installation, under the subject of the event table, and is replayed there', async () => {
    const before = await busOf(0, 'ingest').deadLetters.list(0, 10);
    await busOf(1, 'catalog').publish(events.fetchRequested as unknown as Any, {}, 'bad-one');
    const letters = () => busOf(1, 'ingest').deadLetters.list(0, 10);
    const found = await until(async () => (await letters()).find(({ messageId }) => messageId === 'bad-one'), {
      what: 'the dead letter of ingest',
    });
    expect(found.subject).to.equal(events.fetchRequested.subject);
    expect(await busOf(0, 'ingest').deadLetters.list(0, 10)).to.deep.equal(before);
    const error: unknown = await busOf(1, 'ingest')
      .deadLetters.replay(found.sequence)
      .catch((cause: unknown) => cause);
    expect(String(error)).to.match(/the message fails again: bad on purpose/);
  });

  it('no service of one installation may publish, create streams or read replies of the other one', async () => {
    for (const [at, subjects] of [
      [0, ['team-b.ingest.fetch.started.v1', '$JS.API.STREAM.CREATE.TEAM_B_INGEST', '_INBOX_team-b_ingest.x']],
      [1, ['ingest.fetch.started.v1', '$JS.API.STREAM.CREATE.INGEST', '$JS.API.CONSUMER.MSG.NEXT.CATALOG.ingest']],
    ] as const)
      for (const subject of subjects) {
        const { natsUser: user, natsPassword: pass } = login(at, 'ingest');
        const nc = await connect({ servers: nats.url, user, pass, inboxPrefix: '_INBOX_none' });
        const denied = (async () => {
          for await (const status of nc.status()) if (status.type === 'error') return status.error.message;
          return 'closed';
        })();
        nc.publish(subject);
        expect(await denied, `${at} ${subject}`).to.match(/permissions violation for publish/i);
        await nc.close();
      }
  });
});
