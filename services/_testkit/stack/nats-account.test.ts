import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { events, type EventType } from '@vds/proto/events';
import { connectBus, on, type Bus } from '@vds/chassis/bus/bus';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { testNats, type TestNats } from '../harness/nats.ts';
import { until } from '../until.ts';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { accountBlock, permissionsOf, servicesWithNatsUser } from '@vds/deploy-tools/provision/nats-account';
import { purposes, userName } from '@vds/deploy-tools/installation';
import { openState, type StackState } from './state.ts';
import type { ServiceName } from '@vds/deploy-tools/services';

type Any = EventType<Record<string, unknown>, unknown>;
const table = Object.values(events) as unknown as Any[];
const AT_ONCE = { maxMessages: 1, maxBytes: 1, everyMs: 100 };

describe('the NATS account of a stack', function () {
  this.timeout(30_000);
  let dir: string;
  let nats: TestNats;
  let state: StackState;
  let other: StackState;

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'nats-account-'));
    state = openState(dir, 'one');
    other = openState(mkdtempSync(join(dir, 'other-')), 'two');
    nats = await testNats({
      config: `accounts { "one" {\n${accountBlock(state)}\n}\n "two" {\n${accountBlock(other)}\n}\n }`,
    });
  });
  after(async () => {
    await nats.remove();
    rmSync(dir, { recursive: true });
  });

  const login = (service: ServiceName) => ({
    user: userName('one', service),
    pass: state.secret(purposes.nats(service)),
  });

  describe('the bus', () => {
    const buses = new Map<ServiceName, Bus>();
    const received: string[] = [];
    const stopping = new AbortController();

    before(async () => {
      for (const service of servicesWithNatsUser) {
        const { user, pass } = login(service);
        const log = createLogger(service, 'error', new Writable({ write: (_chunk, _encoding, done) => done() }));
        const options = {
          natsUrl: nats.url,
          natsUser: user,
          natsPassword: pass,
          natsReplicas: 1,
          natsStreamBytes: 2 ** 30,
          service,
          log,
        };
        buses.set(service, await connectBus({ ...options, metrics: createMetrics(service) }));
      }
      for (const service of servicesWithNatsUser)
        if (table.some(({ owner }) => owner === service)) await buses.get(service)?.ownStream();
      for (const service of servicesWithNatsUser) {
        const handlers = (how: 'durable' | 'watch') =>
          table
            .filter(({ consumers }) => consumers[service] === how)
            .map((event) =>
              on(event as EventType<never, unknown>, async (_payload, { id }) => {
                if (id.startsWith('bad')) throw new AppError('INVALID_ARGUMENT', 'bad on purpose');
                received.push(`${service} ${how} ${event.subject}`);
              }),
            );
        buses.get(service)?.subscribe(handlers('durable'), { concurrency: 1 });
        buses.get(service)?.watch(handlers('watch'));
        for (const event of table.filter(({ consumers }) => consumers[service] === 'batches'))
          void buses.get(service)?.batches(
            {
              ...{ event: event as EventType<never, unknown>, limits: AT_ONCE },
              store: async () => void received.push(`${service} batches ${event.subject}`),
            },
            stopping.signal,
          );
      }
    });
    after(async () => {
      stopping.abort();
      await Promise.all([...buses.values()].map(async (bus) => await bus.close()));
    });

    it('the services of the event table publish every event and consume it as declared', async () => {
      const wanted = table.flatMap(({ subject, consumers }) =>
        Object.entries(consumers).map(([who, how]) => `${who} ${how} ${subject}`),
      );
      let attempt = 0;
      await until(
        async () => {
          // A watch delivers only messages published after its start: repeat until every watcher has received one.
          attempt++;
          for (const event of table)
            await buses.get(event.owner as ServiceName)?.publish(event, {}, `${event.subject}-${attempt}`);
          return wanted.every((one) => received.includes(one));
        },
        { what: 'every consumer has received every event', everyMs: 200, capMs: 20_000 },
      );
      expect([...new Set(received)].sort()).to.deep.equal(wanted.sort());
    });

    it('a message that a service gives up on becomes a dead letter', async () => {
      await buses.get('catalog')?.publish(events.fetchRequested as unknown as Any, {}, 'bad-one');
      const deadLetters = async () => (await buses.get('ingest')?.jsm.streams.info('DEAD_INGEST'))?.state.messages;
      await until(deadLetters, { what: 'the dead letter of ingest', capMs: 10_000 });
    });
  });

  describe('denied permissions', () => {
    const connections: NatsConnection[] = [];
    after(async () => await Promise.all(connections.map(async (nc) => await nc.close())));
    const as = async (service: ServiceName): Promise<NatsConnection> => {
      const nc = await connect({ servers: nats.url, ...login(service), inboxPrefix: `_INBOX_${service}` });
      connections.push(nc);
      return nc;
    };
    const violation = async (nc: NatsConnection, act: () => void): Promise<string> => {
      const seen = (async () => {
        for await (const status of nc.status()) if (status.type === 'error') return status.error.message;
        return 'closed';
      })();
      act();
      return await seen;
    };

    for (const [service, subject] of [
      ['ingest', 'catalog.fetch.requested.v1'],
      ['ingest', 'dead.catalog.catalog.fetch.requested.v1'],
      ['playback', 'transcode.encode.completed.v1'],
      ['ingest', '$JS.API.STREAM.CREATE.CATALOG'],
      ['ingest', '$JS.API.STREAM.PURGE.CATALOG'],
      ['catalog', '$JS.API.STREAM.DELETE.CATALOG'],
      ['ingest', '$JS.API.CONSUMER.MSG.NEXT.CATALOG.transcode'],
      ['playback', '$JS.API.CONSUMER.DELETE.CATALOG.ingest'],
      ['transcode', '$JS.API.CONSUMER.CREATE.CATALOG.ingest.catalog.fetch.requested.v1'],
      ['ingest', '_INBOX_catalog.stolen'],
      ['captions', 'catalog.captions.requested.v1'],
      ['metadata', 'captions.tracks.changed.v1'],
      ['indexer', '$JS.API.CONSUMER.MSG.NEXT.CATALOG.captions'],
      ['indexer', 'catalog.video.changed.v1'],
    ] as [ServiceName, string][]) {
      it(`${service} may not publish to ${subject}`, async () => {
        const nc = await as(service);
        expect(await violation(nc, () => nc.publish(subject))).to.match(/permissions violation for publish/i);
      });
    }
    for (const subject of ['catalog.>', '>', '_INBOX_catalog.>', '$JS.EVENT.>']) {
      it(`ingest may not subscribe to ${subject}`, async () => {
        const nc = await as('ingest');
        expect(await violation(nc, () => void nc.subscribe(subject))).to.match(
          /permissions violation for subscription/i,
        );
      });
    }
    for (const [what, subject, config] of [
      ['all events', 'CATALOG', {}],
      ['all events under a name', 'CATALOG.mine', { name: 'mine' }],
      ['fetch requests', 'CATALOG.mine.catalog.fetch.requested.v1', { filter_subject: 'catalog.fetch.requested.v1' }],
      ['events by a wildcard', 'CATALOG.mine.catalog.>', { filter_subject: 'catalog.>' }],
      ['another service’s durable', 'CATALOG.ingest.catalog.video.changed.v1', { durable_name: 'ingest' }],
    ] as const)
      it(`a watcher may not create a consumer of ${what}`, async () => {
        const nc = await as('playback');
        const request = JSON.stringify({ stream_name: 'CATALOG', config: { ack_policy: 'none', ...config } });
        const act = (): void => nc.publish(`$JS.API.CONSUMER.CREATE.${subject}`, request);
        expect(await violation(nc, act)).to.match(/permissions violation for publish/i);
      });
    it('a consumer of what a watcher may read cannot be made one of something else', async () => {
      const nc = await as('playback');
      const config = { name: 'mine', ack_policy: 'none', filter_subject: 'catalog.fetch.requested.v1' };
      const request = JSON.stringify({ stream_name: 'CATALOG', config });
      const reply = await nc.request('$JS.API.CONSUMER.CREATE.CATALOG.mine.catalog.video.changed.v1', request);
      expect(reply.json<{ error?: { description: string } }>().error?.description).to.be.a('string');
    });
    it('a wrong NATS password is rejected', async () => {
      const wrong = { ...login('ingest'), pass: state.secret(purposes.nats('catalog')) };
      const error = await connect({ servers: nats.url, ...wrong, reconnect: false }).then(
        () => null,
        (reason: Error) => reason,
      );
      expect(error?.message).to.match(/authorization violation/i);
    });
    it('a service cannot see the streams of another stack', async () => {
      const stranger = await connect({
        servers: nats.url,
        user: userName('two', 'catalog'),
        pass: other.secret(purposes.nats('catalog')),
        inboxPrefix: '_INBOX_catalog',
      });
      connections.push(stranger);
      const messagesSeen = async (nc: NatsConnection): Promise<number | string> =>
        (await jetstreamManager(nc, { checkAPI: false })).streams.info('CATALOG').then(
          ({ state: stored }) => stored.messages,
          (reason: Error) => reason.message,
        );
      expect(await messagesSeen(await as('catalog'))).to.be.above(0);
      expect(await messagesSeen(stranger)).to.equal('stream not found');
    });
  });

  it('a service has exactly the NATS permissions of the event table', () => {
    const { publish, subscribe } = permissionsOf('playback');
    expect(publish.allow.filter((subject) => !subject.includes('CATALOG'))).to.deep.equal([
      'playback.>',
      'dead.playback.>',
      '$JS.API.STREAM.INFO.PLAYBACK',
      '$JS.API.STREAM.CREATE.PLAYBACK',
      '$JS.API.STREAM.UPDATE.PLAYBACK',
      '$JS.API.STREAM.INFO.DEAD_PLAYBACK',
      '$JS.API.STREAM.CREATE.DEAD_PLAYBACK',
      '$JS.API.STREAM.UPDATE.DEAD_PLAYBACK',
      '$JS.API.STREAM.MSG.GET.DEAD_PLAYBACK',
      '$JS.API.STREAM.MSG.DELETE.DEAD_PLAYBACK',
    ]);
    expect(subscribe.allow).to.deep.equal(['_INBOX_playback.>']);
  });
});
