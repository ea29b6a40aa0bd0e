import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { on, type Bus } from '../../src/bus/bus.ts';
import { AppError } from '../../src/errors.ts';
import { currentTraceparent, inTrace, span, startTelemetry } from '../../src/telemetry/telemetry.ts';
import type { TestNats } from '@vds/testkit/harness/nats';
import { until } from '@vds/testkit/until';
import { noteEvent, useBuses, type Note } from '../fixtures.ts';

const note = noteEvent();
const policy = { concurrency: 2, ackWaitMs: 1_000, retryDelaysMs: [30, 30] };

describe('bus', () => {
  let nats: TestNats;
  let owner: Bus;
  const { fixture, open } = useBuses();
  const deadLetters = async (bus: Bus): Promise<number> =>
    bus.jsm.streams.info('DEAD_BETA').then(
      (info) => info.state.messages,
      () => 0,
    );

  before(() => startTelemetry('test', undefined));
  beforeEach(() => void ({ nats, owner } = fixture()));

  it('a payload is delivered once, even if it is published twice under one id', async () => {
    const seen: Note[] = [];
    const consumer = await open('beta');
    consumer.subscribe([on(note, async (payload) => void seen.push(payload))], policy);
    await owner.publish(note, { text: 'one' }, 'id-1');
    await owner.publish(note, { text: 'one' }, 'id-1');
    await owner.publish(note, { text: 'two' }, 'id-2');
    await until(() => seen.length === 2, { what: 'both notes' });
    expect(seen).to.deep.equal([{ text: 'one' }, { text: 'two' }]);
  });

  it('a message whose handler fails is redelivered until the handler succeeds', async () => {
    const deliveries: number[] = [];
    const consumer = await open('beta');
    const handle = async (_payload: Note, { delivery }: { delivery: number }): Promise<void> => {
      deliveries.push(delivery);
      if (delivery < 3) throw new Error('not yet');
    };
    consumer.subscribe([on(note, handle)], policy);
    await owner.publish(note, { text: 'x' }, 'id-1');
    await until(() => deliveries.length === 3, { what: 'three deliveries' });
    expect(deliveries).to.deep.equal([1, 2, 3]);
    expect(await deadLetters(consumer)).to.equal(0);
  });

  it('a message is dead-lettered with the reason after its last delivery', async () => {
    const consumer = await open('beta');
    consumer.subscribe([on(note, () => Promise.reject(new Error('always')))], policy);
    await owner.publish(note, { text: 'x' }, 'id-1');
    await until(async () => (await deadLetters(consumer)) === 1, { what: 'a dead letter' });
    const deadLetter = await consumer.jsm.streams.getMessage('DEAD_BETA', { seq: 1 });
    expect(deadLetter?.header.get('Dead-Reason')).to.equal('always');
    expect(deadLetter?.subject).to.match(/^dead\.beta\.alpha\.note\.created\.v1\.[0-9a-f]{16}$/);
  });

  it('a message that cannot be decoded or fails permanently is dead-lettered at once', async () => {
    let calls = 0;
    const rejected = noteEvent('alpha.note.rejected.v1');
    const consumer = await open('beta');
    const handlers = [
      on(note, async () => void (calls += 1)),
      on(rejected, () => Promise.reject(new AppError('INVALID_ARGUMENT', 'no'))),
    ];
    consumer.subscribe(handlers, policy);
    await owner.publishRaw(note.subject, Buffer.from('{'), 'id-1');
    await owner.publish(rejected, { text: 'x' }, 'id-2');
    await until(async () => (await deadLetters(consumer)) === 2, { what: 'two dead letters' });
    expect(calls).to.equal(0);
  });

  it('a consumer starts before the owner has created its stream, and receives what was published before it subscribed', async () => {
    const late = noteEvent('gamma.note.created.v1');
    const seen: Note[] = [];
    const consumer = await open('beta');
    consumer.subscribe([on(late, async (payload) => void seen.push(payload))], policy);
    await sleep(250);
    const gamma = await open('gamma');
    await gamma.ownStream();
    await gamma.publish(late, { text: 'early' }, 'id-1');
    await until(() => seen.length === 1, { what: 'the note of a late owner' });
  });

  it('the replicas of a service share its messages', async () => {
    const seen: string[] = [];
    for (const name of ['one', 'two']) {
      const replica = await open('beta');
      replica.subscribe([on(note, async (payload) => void seen.push(`${name}:${payload.text}`))], policy);
    }
    await Promise.all(Array.from({ length: 40 }, (_, n) => owner.publish(note, { text: String(n) }, `id-${n}`)));
    await until(() => seen.length >= 40, { what: 'forty notes' });
    expect(new Set(seen.map((entry) => entry.split(':')[1])).size).to.equal(40);
    expect(seen).to.have.length(40);
  });

  it('a lost stream is created again, and subscribers and watchers receive events again', async () => {
    const seen: string[] = [];
    const second = await open('delta');
    const event = noteEvent('delta.note.created.v1');
    await second.ownStream();
    const consumer = await open('beta');
    consumer.subscribe([on(event, async (payload) => void seen.push(`durable:${payload.text}`))], policy);
    consumer.watch([on(event, async (payload) => void seen.push(`watch:${payload.text}`))]);
    await until(async () => (await second.jsm.streams.info('DELTA')).state.consumer_count === 2, {
      what: 'both consumers',
    });
    await nats.wipe();
    await until(async () => (await second.jsm.streams.info('DELTA')).state.consumer_count === 2, {
      what: 'both consumers again',
    });
    await second.publish(event, { text: 'again' }, 'id-1');
    await until(() => seen.length === 2, { what: 'both events' });
    expect(seen.toSorted()).to.deep.equal(['durable:again', 'watch:again']);
  }).timeout(60_000);

  it('a message that is too large for the server or the stream is refused permanently', async () => {
    const codeOf = (bytes: number): Promise<unknown> =>
      owner.publishRaw(note.subject, Buffer.alloc(bytes), `bytes-${bytes}`).then(
        () => 'stored',
        (error: AppError) => error.code,
      );
    await owner.jsm.streams.update('ALPHA', { max_msg_size: 1_000 });
    expect(await codeOf(100)).to.equal('stored');
    expect(await codeOf(2_000), 'of the stream').to.equal('INVALID_ARGUMENT');
    expect(await codeOf(2_000_000), 'of the server').to.equal('INVALID_ARGUMENT');
  });

  it('publishing fails with UNAVAILABLE while the server is down, and succeeds after its restart', async () => {
    await nats.kill9();
    const error: unknown = await owner.publish(note, { text: 'x' }, 'id-1').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(AppError).with.property('code', 'UNAVAILABLE');
    await nats.restart();
    await until(
      () =>
        owner.publish(note, { text: 'x' }, 'id-1').then(
          () => true,
          () => false,
        ),
      { what: 'a publish' },
    );
  }).timeout(40_000);

  it('the trace of the publisher continues in the consumer', async () => {
    const traces: (string | undefined)[] = [];
    const consumer = await open('beta');
    consumer.subscribe([on(note, async () => void traces.push(currentTraceparent()))], policy);
    const sent = await inTrace(undefined, 'test', {}, () =>
      span('publish', {}, async () => {
        await owner.publishRaw(note.subject, Buffer.from('{"text":"x"}'), 'id-1', currentTraceparent() ?? null);
        return currentTraceparent();
      }),
    );
    await until(() => traces.length === 1, { what: 'the note' });
    expect(traces[0]?.split('-')[1])
      .to.equal(sent?.split('-')[1])
      .and.match(/^[0-9a-f]{32}$/);
  });
});
