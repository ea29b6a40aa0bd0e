/** What a service published and a rolled back stream has lost is published again, once for all replicas. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Bus } from '../../src/bus/bus.ts';
import { LOSS } from '../../src/bus/streams.ts';
import { keepOwnStream } from '../../src/database/published-position.ts';
import { addToOutbox, outgoing, startRelay } from '../../src/database/outbox.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { noteEvent, poolOf, quiet, useBuses } from '../fixtures.ts';

const note = noteEvent('gamma.note.created.v1');

describe('the published position', () => {
  const { fixture, open } = useBuses();
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;
  let repairs: string[];
  const closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    repairs = [];
    database = await testDatabase();
    pool = poolOf(database);
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await pool.close();
    await database.drop();
  });

  /** A replica of gamma: its bus, its own stream and its relay. */
  const startReplica = async (name: string): Promise<Bus> => {
    const bus = await open('gamma');
    await keepOwnStream({ bus, pool, service: 'gamma' }, async () => void repairs.push(name));
    const relay = startRelay({ pool, bus, log: quiet, metrics: createMetrics('gamma'), pollMs: 50 });
    closing.push(relay.close);
    return bus;
  };
  const publish = async (from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n++) await addToOutbox(pool, [outgoing(note, { text: `${n}` }, `id-${n}`)]);
    const left = async () => (await pool.query<{ n: number }>('SELECT count(*) AS n FROM chassis.outbox')).rows[0]?.n;
    await until(async () => (await left()) === 0, { what: 'an empty outbox' });
  };

  it('a rollback is repaired by one of the replicas, and a new stream without a past by none', async () => {
    const { nats } = fixture();
    await startReplica('one');
    await startReplica('two');
    await publish(1, 5);
    const rollBack = await nats.copyStore();
    await publish(6, 9);
    await rollBack();
    await until(() => repairs.length > 0, { what: 'a repair' });
    await sleep(1_000); // five checks of the other replica
    const { config } = await fixture().owner.jsm.streams.info('GAMMA');
    expect(config.metadata?.[LOSS], 'consumers are told').to.be.a('string');
    await publish(10, 12);
    expect(repairs).to.have.length(1);
    await nats.wipe();
    await until(() => repairs.length > 1, { what: 'the repair of the wiped stream' });
    await sleep(1_000);
    await publish(13, 14);
    expect(repairs).to.have.length(2);
  }).timeout(60_000);

  it('a rollback while no process of the service ran is repaired when one starts', async () => {
    const { nats } = fixture();
    const first = await startReplica('first');
    await publish(1, 5);
    const rollBack = await nats.copyStore();
    await publish(6, 9);
    for (const close of closing.splice(0)) await close();
    await first.close();
    await rollBack();
    await startReplica('second');
    await until(() => repairs.length === 1, { what: 'the repair' });
    expect(repairs).to.deep.equal(['second']);
    await startReplica('third');
    expect(repairs).to.deep.equal(['second']);
  }).timeout(60_000);

  it('a repair that fails is repeated', async () => {
    const { nats } = fixture();
    const bus = await open('gamma');
    let failures = 0;
    await keepOwnStream({ bus, pool, service: 'gamma' }, async () => {
      failures += 1;
      if (failures < 3) throw new Error('the statement was cancelled');
      repairs.push('done');
    });
    closing.push(startRelay({ pool, bus, log: quiet, metrics: createMetrics('gamma'), pollMs: 50 }).close);
    await publish(1, 3);
    await nats.wipe();
    await until(() => repairs.length === 1, { what: 'the repair' });
    expect(failures).to.equal(3);
  }).timeout(60_000);
});
