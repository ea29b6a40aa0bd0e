import { expect } from 'chai';
import type { EventType } from '@vds/proto/events';
import { withTransaction } from '../../src/database/database.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { addToOutbox, outboxFragment, outgoing, startRelay } from '../../src/database/outbox.ts';
import { testDatabase, type TestDatabase } from '../../testing/database.ts';
import { until } from '../../testing/until.ts';
import { noteEvent, poolOf, quiet, type Note } from '../fixtures.ts';

const note: EventType<Note, Note> = noteEvent();

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
    (await pool.query<{ n: number }>('SELECT count(*) AS n FROM chassis.outbox')).rows[0]?.n ?? -1;
  const relayTo = (say: (messageId: string) => Promise<void>, metrics = createMetrics('test')) =>
    startRelay({
      pool,
      log: quiet,
      metrics,
      pollMs: 50,
      bus: { publishRaw: (_subject, _payload, id) => say(id) },
    });

  it('says what was committed and nothing that was rolled back', async () => {
    const said: string[] = [];
    const relay = relayTo(async (id) => void said.push(id));
    await withTransaction(pool, (client) => addToOutbox(client, [outgoing(note, { text: 'kept' }, 'kept')]));
    await withTransaction(pool, async (client) => {
      await addToOutbox(client, [outgoing(note, { text: 'lost' }, 'lost')]);
      throw new Error('rolled back');
    }).catch((error: Error) => expect(error.message).to.equal('rolled back'));
    relay.wake();
    await until(async () => (await rows()) === 0, { what: 'an empty outbox' });
    await relay.close();
    expect(said).to.deep.equal(['kept']);
  });

  it('keeps a row until its message was stored', async () => {
    let failures = 0;
    const said: string[] = [];
    const metrics = createMetrics('test');
    const relay = relayTo(async (id) => {
      failures += 1;
      if (failures < 4) throw new Error('no stream');
      said.push(id);
    }, metrics);
    await addToOutbox(pool, [outgoing(note, { text: 'x' }, 'a')]);
    await until(async () => /vds_outbox_oldest_seconds\S* 0\.\d/.test(await metrics.registry.metrics()), {
      what: 'its age',
    });
    await until(async () => (await rows()) === 0, { what: 'an empty outbox' });
    expect(await metrics.registry.metrics())
      .to.match(/vds_outbox_rows\S* 0\n/)
      .and.match(/vds_outbox_oldest_seconds\S* 0\n/);
    await relay.close();
    expect(said).to.deep.equal(['a']);
    expect(failures).to.equal(4);
  });

  it('says the rest of a batch when one message is refused', async () => {
    const said: string[] = [];
    const relay = relayTo(async (id) => {
      if (id === 'bad') throw new Error('refused');
      said.push(id);
    });
    await addToOutbox(
      pool,
      ['a', 'bad', 'b'].map((id) => outgoing(note, { text: id }, id)),
    );
    relay.wake();
    await until(async () => (await rows()) === 1, { what: 'one row left' });
    await relay.close();
    expect(said).to.deep.equal(['a', 'b']);
  });

  it('says each of 1,000 rows once over two relays', async () => {
    const said: string[] = [];
    const relays = [relayTo(async (id) => void said.push(id)), relayTo(async (id) => void said.push(id))];
    const messages = Array.from({ length: 1_000 }, (_, n) => outgoing(note, { text: String(n) }, `id-${n}`));
    await withTransaction(pool, (client) => addToOutbox(client, messages));
    await until(async () => (await rows()) === 0, { what: 'an empty outbox' });
    await Promise.all(relays.map((relay) => relay.close()));
    expect(said).to.have.length(1_000);
    expect(new Set(said).size).to.equal(1_000);
  });

  it('fits into a caller’s own statement', async () => {
    const values: unknown[] = ['hello'];
    const fragment = outboxFragment([outgoing(note, { text: 'x' }, 'in-cte')], values);
    const { rows: answer } = await pool.query(`WITH published AS (${fragment}) SELECT $1::text AS word`, values);
    expect(answer).to.deep.equal([{ word: 'hello' }]);
    expect(await rows()).to.equal(1);
  });
});
