/** What JetStream stored and lost: the relay publishes it again, from a real stream that is rolled back or wiped. */
import { expect } from 'chai';
import type { EventType } from '@vds/proto/events';
import { addToOutbox, outgoing, startRelay } from '../../src/database/outbox.ts';
import { pruneTables, chassisRetention } from '../../src/database/retention.ts';
import type { Bus } from '../../src/bus/bus.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { noteEvent, poolOf, quiet, useBuses, type Note } from '../fixtures.ts';

const note: EventType<Note, Note> = noteEvent();

describe('messages that JetStream has stored and lost', () => {
  const { fixture, open } = useBuses();
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;
  const relays: ReturnType<typeof startRelay>[] = [];
  beforeEach(async () => {
    database = await testDatabase();
    pool = poolOf(database);
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.close()));
    await pool.close();
    await database.drop();
  });
  const relayTo = (bus: Bus) => {
    const relay = startRelay({ pool, bus, log: quiet, metrics: createMetrics('test'), pollMs: 50 });
    relays.push(relay);
    return relay;
  };

  const add = (...texts: string[]): Promise<void> =>
    addToOutbox(
      pool,
      texts.map((text) => outgoing(note, { text }, text)),
    );
  const waiting = async (): Promise<number> =>
    (await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM chassis.outbox WHERE published_at IS NULL'))
      .rows[0]?.n ?? -1;
  const published = () => until(async () => (await waiting()) === 0, { what: 'nothing waits' });
  /** What the stream has, by its own messages. */
  const stored = async (): Promise<string[]> => {
    const { jsm } = fixture().owner;
    const { state } = await jsm.streams.info('ALPHA');
    const texts: string[] = [];
    for (let seq = state.first_seq; seq > 0 && seq <= state.last_seq; seq++) {
      const message = await jsm.streams.getMessage('ALPHA', { seq });
      if (message) texts.push(message.json<Note>().text);
    }
    return texts;
  };
  const holds = (...texts: string[]) =>
    until(async () => (await stored().catch(() => [])).toSorted(byText).join() === texts.toSorted(byText).join(), {
      what: `the stream has ${texts.join(', ')}`,
    });

  it('those behind the end of a stream that was rolled back are published again after the reconnect', async () => {
    const { nats, owner } = fixture();
    relayTo(owner);
    await add('a', 'b');
    await published();
    const rollBack = await nats.copyStore();
    await add('c', 'd');
    await published();
    await holds('a', 'b', 'c', 'd');
    await rollBack();
    await holds('a', 'b', 'c', 'd');
  }).timeout(60_000);

  it('all of a day are published again into a stream that is new', async () => {
    const { nats, owner } = fixture();
    relayTo(owner);
    await add('a', 'b', 'c');
    await published();
    await nats.wipe();
    await holds('a', 'b', 'c');
  }).timeout(60_000);

  it('a sequence that is given again tells of a stream that was replaced without a disconnect', async () => {
    const { owner } = fixture();
    const relay = relayTo(owner);
    await add('a', 'b', 'c');
    await published();
    await owner.jsm.streams.delete('ALPHA');
    await until(() => owner.streamEnd(), { what: 'the stream is there again' });
    await add('d');
    relay.notify();
    await until(async () => (await stored()).length >= 4, {
      what: 'all messages are there again',
    });
    expect(new Set(await stored())).to.deep.equal(new Set(['a', 'b', 'c', 'd']));
  }).timeout(60_000);

  it('whoever publishes without the relay waits until its losses are known, and hides none of them', async () => {
    const { nats, owner } = fixture();
    const relay = startRelay({ pool, bus: owner, log: quiet, metrics: createMetrics('test') });
    relays.push(relay);
    await add('a', 'b');
    relay.notify();
    await published();
    const rollBack = await nats.copyStore();
    await add('c', 'd');
    relay.notify();
    await published();
    await rollBack();
    await until(() => relay.ready().then(() => owner.isUp()), { what: 'the losses are known' });
    await owner.publish(note, { text: 'x' }, 'x');
    await holds('a', 'b', 'c', 'd', 'x');
  }).timeout(60_000);

  it('what its sender repeats anyway is removed once it is published', async () => {
    relayTo(fixture().owner);
    await addToOutbox(pool, [
      { ...outgoing(note, { text: 'a' }, 'a'), transient: true },
      outgoing(note, { text: 'b' }, 'b'),
    ]);
    await published();
    await holds('a', 'b');
    const { rows } = await pool.query<{ message_id: string }>('SELECT message_id FROM chassis.outbox');
    expect(rows.map(({ message_id }) => message_id)).to.deep.equal(['b']);
  });

  it('two relays that publish beside each other publish nothing twice', async () => {
    const { owner, nats } = fixture();
    const other = await open('alpha', nats.url);
    let publishes = 0;
    const counted = (bus: Bus): Bus => ({
      ...bus,
      publishRaw: (...message) => {
        publishes += 1;
        return bus.publishRaw(...message);
      },
    });
    const both = [relayTo(counted(owner)), relayTo(counted(other))];
    for (let round = 0; round < 20; round++) {
      await add(...Array.from({ length: 25 }, (_, n) => `${round}-${n}`));
      for (const relay of both) relay.notify();
    }
    await published();
    expect(publishes).to.equal(500);
  }).timeout(60_000);

  it('a published message is kept for a day, one that waits for as long as it waits', async () => {
    await add('old', 'young', 'waiting');
    await pool.query(`UPDATE chassis.outbox SET stream_created = 'x', stream_sequence = id,
      published_at = now() - CASE message_id WHEN 'old' THEN interval '25 hours' ELSE interval '23 hours' END
      WHERE message_id <> 'waiting'`);
    await pool.query(`UPDATE chassis.outbox SET created_at = now() - interval '9 days'`);
    await pruneTables(pool, chassisRetention({ jobsKeepMs: 1, tombstonesKeepMs: 1 }), new AbortController().signal);
    const { rows } = await pool.query<{ message_id: string }>('SELECT message_id FROM chassis.outbox ORDER BY id');
    expect(rows.map(({ message_id }) => message_id)).to.deep.equal(['young', 'waiting']);
  });
});

function byText(one: string, other: string): number {
  return one.localeCompare(other);
}
