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
  const { house, open } = useBuses();
  const deadLetters = async (bus: Bus): Promise<number> =>
    bus.jsm.streams.info('DEAD_BETA').then(
      (info) => info.state.messages,
      () => 0,
    );

  before(() => startTelemetry('test', undefined));
  beforeEach(() => void ({ nats, owner } = house()));

  it('delivers a payload once, even when it is published twice under one id', async () => {
    const seen: Note[] = [];
    const hearer = await open('beta');
    hearer.subscribe([on(note, async (payload) => void seen.push(payload))], policy);
    await owner.publish(note, { text: 'one' }, 'id-1');
    await owner.publish(note, { text: 'one' }, 'id-1');
    await owner.publish(note, { text: 'two' }, 'id-2');
    await until(() => seen.length === 2, { what: 'both notes' });
    expect(seen).to.deep.equal([{ text: 'one' }, { text: 'two' }]);
  });

  it('tries a passing failure again until it succeeds', async () => {
    const deliveries: number[] = [];
    const hearer = await open('beta');
    const handle = async (_payload: Note, { delivery }: { delivery: number }): Promise<void> => {
      deliveries.push(delivery);
      if (delivery < 3) throw new Error('not yet');
    };
    hearer.subscribe([on(note, handle)], policy);
    await owner.publish(note, { text: 'x' }, 'id-1');
    await until(() => deliveries.length === 3, { what: 'three deliveries' });
    expect(deliveries).to.deep.equal([1, 2, 3]);
    expect(await deadLetters(hearer)).to.equal(0);
  });

  it('buries a message whose deliveries are spent, with the reason', async () => {
    const hearer = await open('beta');
    hearer.subscribe([on(note, () => Promise.reject(new Error('always')))], policy);
    await owner.publish(note, { text: 'x' }, 'id-1');
    await until(async () => (await deadLetters(hearer)) === 1, { what: 'a dead letter' });
    const letter = await hearer.jsm.streams.getMessage('DEAD_BETA', { seq: 1 });
    expect(letter?.header.get('Dead-Reason')).to.equal('always');
    expect(letter?.subject).to.equal('dead.beta.alpha.note.said.v1');
  });

  it('buries at once what cannot be decoded and what is refused for good', async () => {
    let calls = 0;
    const refused = noteEvent('alpha.note.refused.v1');
    const hearer = await open('beta');
    const ears = [
      on(note, async () => void (calls += 1)),
      on(refused, () => Promise.reject(new AppError('INVALID_ARGUMENT', 'no'))),
    ];
    hearer.subscribe(ears, policy);
    await owner.publishRaw(note.subject, Buffer.from('{'), 'id-1');
    await owner.publish(refused, { text: 'x' }, 'id-2');
    await until(async () => (await deadLetters(hearer)) === 2, { what: 'two dead letters' });
    expect(calls).to.equal(0);
  });

  it('hears what was said before it subscribed, and boots before the owner has made its stream', async () => {
    const late = noteEvent('gamma.note.said.v1');
    const seen: Note[] = [];
    const hearer = await open('beta');
    hearer.subscribe([on(late, async (payload) => void seen.push(payload))], policy);
    await sleep(300);
    const gamma = await open('gamma');
    await gamma.ownStream();
    await gamma.publish(late, { text: 'early' }, 'id-1');
    await until(() => seen.length === 1, { what: 'the note of a late owner' });
  });

  it('shares the messages of one service among its replicas', async () => {
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

  it('makes its stream anew after the store was lost, says so, and both verbs hear again', async () => {
    let made = 0;
    const seen: string[] = [];
    const second = await open('delta');
    const fact = noteEvent('delta.note.said.v1');
    await second.ownStream(async () => void (made += 1));
    const hearer = await open('beta');
    hearer.subscribe([on(fact, async (payload) => void seen.push(`durable:${payload.text}`))], policy);
    hearer.watch([on(fact, async (payload) => void seen.push(`watch:${payload.text}`))]);
    await until(async () => (await second.jsm.streams.info('DELTA')).state.consumer_count === 2, {
      what: 'both consumers',
    });
    await nats.wipe();
    await until(() => made === 2, { what: 'the stream made anew' });
    await until(async () => (await second.jsm.streams.info('DELTA')).state.consumer_count === 2, {
      what: 'both consumers again',
    });
    await second.publish(fact, { text: 'again' }, 'id-1');
    await until(() => seen.length === 2, { what: 'both verbs' });
    expect(seen.toSorted()).to.deep.equal(['durable:again', 'watch:again']);
  }).timeout(60_000);

  it('survives a killed server: publishing fails with UNAVAILABLE, then works', async () => {
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

  it('carries the trace from publisher to hearer', async () => {
    const traces: (string | undefined)[] = [];
    const hearer = await open('beta');
    hearer.subscribe([on(note, async () => void traces.push(currentTraceparent()))], policy);
    const sent = await inTrace(undefined, 'test', {}, () =>
      span('say', {}, async () => {
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
