import { expect } from 'chai';
import type { EventType } from '@vds/proto/events';
import { withTransaction } from '../../src/database/database.ts';
import { AppError } from '../../src/errors.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { addToOutbox, outboxFragment, outgoing, startRelay } from '../../src/database/outbox.ts';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { lasts, until } from '@vds/testkit/until';
import { noteEvent, poolOf, quiet, type Note } from '../fixtures.ts';

const note: EventType<Note, Note> = noteEvent();

let sequence = 0;

/** The bus of one stream that never loses anything. */
function fakeBus(publish: (messageId: string) => Promise<void>): Parameters<typeof startRelay>[0]['bus'] {
  return {
    connections: () => 1,
    streamEnd: async () => ({ created: 'now', lastSequence: sequence }),
    publishRaw: async (_subject, _payload, id) => {
      await publish(id);
      return { sequence: ++sequence, duplicate: false };
    },
  };
}

describe('outbox', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;
  beforeEach(async () => {
    database = await testDatabase();
    pool = poolOf(database);
  });
  afterEach(async () => {
    await pool.close();
    await database.drop();
  });

  const rows = async (): Promise<number> =>
    (await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM chassis.outbox WHERE published_at IS NULL'))
      .rows[0]?.n ?? -1;
  const relayTo = (publish: (messageId: string) => Promise<void>, metrics = createMetrics('test')) =>
    startRelay({
      pool,
      log: quiet,
      metrics,
      pollMs: 50,
      bus: fakeBus(publish),
    });

  it('a committed message is published, a rolled back one is not', async () => {
    const published: string[] = [];
    const relay = relayTo(async (id) => void published.push(id));
    await withTransaction(pool, (client) => addToOutbox(client, [outgoing(note, { text: 'kept' }, 'kept')]));
    await withTransaction(pool, async (client) => {
      await addToOutbox(client, [outgoing(note, { text: 'lost' }, 'lost')]);
      throw new Error('rolled back');
    }).catch((error: Error) => expect(error.message).to.equal('rolled back'));
    relay.notify();
    await until(async () => (await rows()) === 0, { what: 'an empty outbox' });
    await relay.close();
    expect(published).to.deep.equal(['kept']);
  });

  it('a row stays until its message is stored', async () => {
    let isStream = false;
    let failures = 0;
    const published: string[] = [];
    const metrics = createMetrics('test');
    const relay = relayTo(async (id) => {
      if (!isStream) {
        failures += 1;
        throw new Error('no stream');
      }
      published.push(id);
    }, metrics);
    await addToOutbox(pool, [outgoing(note, { text: 'x' }, 'a')]);
    await until(async () => /vds_outbox_oldest_seconds\S* (0\.\d|[1-9])/.test(await metrics.registry.metrics()), {
      what: 'its age',
    });
    await until(() => failures >= 3, { what: 'three tries' });
    expect(await rows()).to.equal(1);
    isStream = true;
    await until(async () => (await rows()) === 0, { what: 'an empty outbox' });
    expect(await metrics.registry.metrics())
      .to.match(/vds_outbox_rows\S* 0\n/)
      .and.match(/vds_outbox_oldest_seconds\S* 0\n/);
    await relay.close();
    expect(published).to.deep.equal(['a']);
  });

  it('a rejected message does not hold back the rest of its batch', async () => {
    const published: string[] = [];
    const relay = relayTo(async (id) => {
      if (id === 'bad') throw new Error('rejected');
      published.push(id);
    });
    await addToOutbox(
      pool,
      ['a', 'bad', 'b'].map((id) => outgoing(note, { text: id }, id)),
    );
    relay.notify();
    await until(async () => (await rows()) === 1, { what: 'one row left' });
    await relay.close();
    expect(published).to.deep.equal(['a', 'b']);
  });

  it('rows that NATS refuses permanently are set aside and reported, and never hold back later ones', async () => {
    const published: string[] = [];
    const metrics = createMetrics('test');
    const refuse = async (id: string): Promise<void> => {
      if (id.startsWith('bad')) throw new AppError('INVALID_ARGUMENT', 'the payload is too large');
      published.push(id);
    };
    const messages = ['bad', 'good'].flatMap((kind) =>
      Array.from({ length: 250 }, (_, n) => outgoing(note, { text: `${n}` }, `${kind}-${n}`)),
    );
    await withTransaction(pool, (client) => addToOutbox(client, messages));
    const relay = relayTo(refuse, metrics);
    await until(() => published.length === 250, { what: 'the messages behind the refused ones' });
    await until(async () => /vds_outbox_refused_rows\S* 250\n/.test(await metrics.registry.metrics()), {
      what: 'the refused ones in the metric',
    });
    expect(await metrics.registry.metrics()).to.match(/vds_outbox_oldest_seconds\S* 0\n/);
    expect(published).to.deep.equal(Array.from({ length: 250 }, (_, n) => `good-${n}`));
    await relay.close();
    expect(await rows()).to.equal(250);
  });

  it('an outage sets nothing aside, and the order is kept', async () => {
    const published: string[] = [];
    let isDown = true;
    let tries = 0;
    const relay = relayTo(async (id) => {
      tries += 1;
      if (isDown) throw new AppError('UNAVAILABLE', 'not connected to NATS');
      published.push(id);
    });
    const ids = Array.from({ length: 300 }, (_, n) => `id-${n}`);
    await addToOutbox(
      pool,
      ids.map((id) => outgoing(note, { text: id }, id)),
    );
    relay.notify();
    await until(() => tries > 2, { what: 'some tries' });
    isDown = false;
    await until(async () => (await rows()) === 0, { what: 'an empty outbox' });
    await relay.close();
    expect(published).to.deep.equal(ids);
  });

  it('an idle relay polls ever less often, and publishes at once when it is notified', async () => {
    const published: string[] = [];
    let polls = 0;
    const counted = Object.assign(Object.create(pool) as typeof pool, {
      query: pool.query.bind(pool),
      connect: async () => {
        polls += 1;
        return pool.connect();
      },
    });
    const relay = startRelay({
      ...{ pool: counted, log: quiet, metrics: createMetrics('test'), pollMs: 50 },
      bus: fakeBus(async (id) => void published.push(id)),
    });
    await lasts(1_000);
    expect(polls).to.be.within(2, 8); // each 50 ms would be 20
    await addToOutbox(pool, [outgoing(note, { text: 'x' }, 'a')]);
    relay.notify();
    await until(() => published.length === 1, { what: 'the message', capMs: 1_000 });
    await relay.close();
  });

  it('two relays publish each of 1,000 rows once', async () => {
    const published: string[] = [];
    const relays = [relayTo(async (id) => void published.push(id)), relayTo(async (id) => void published.push(id))];
    const messages = Array.from({ length: 1_000 }, (_, n) => outgoing(note, { text: String(n) }, `id-${n}`));
    await withTransaction(pool, (client) => addToOutbox(client, messages));
    await until(async () => (await rows()) === 0, { what: 'an empty outbox' });
    await Promise.all(relays.map((relay) => relay.close()));
    expect(published).to.have.length(1_000);
    expect(new Set(published).size).to.equal(1_000);
  });

  it('the insert can be part of the caller’s own statement', async () => {
    const values: unknown[] = ['hello'];
    const fragment = outboxFragment([outgoing(note, { text: 'x' }, 'in-cte')], values);
    const { rows: answer } = await pool.query(`WITH messages AS (${fragment}) SELECT $1::text AS greeting`, values);
    expect(answer).to.deep.equal([{ greeting: 'hello' }]);
    expect(await rows()).to.equal(1);
  });
});
