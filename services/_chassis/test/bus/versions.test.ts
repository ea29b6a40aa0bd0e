/** Replicas of two versions of one service on the same durable, as during a rollout. */
import { expect } from 'chai';
import { on, type Bus } from '../../src/bus/bus.ts';
import { until } from '@vds/testkit/until';
import { noteEvent, useBuses } from '../fixtures.ts';

const oldEvent = noteEvent('alpha.note.created.v1');
const newEvent = noteEvent('alpha.note.moved.v1');

describe('two versions of a service side by side', () => {
  const { fixture, open } = useBuses();
  const filterOf = async (bus: Bus): Promise<string[]> => {
    const { config } = await bus.jsm.consumers.info('ALPHA', 'beta');
    return (config.filter_subjects ?? []).toSorted();
  };
  const deadLetters = (bus: Bus): Promise<number> =>
    bus.jsm.streams.info('DEAD_BETA').then(
      ({ state }) => state.messages,
      () => 0,
    );

  it('every message of a subject that only the new version consumes reaches it, and none is dead-lettered', async () => {
    const { owner } = fixture();
    const seen = new Map<string, number>();
    const [older, newer] = [await open('beta'), await open('beta')];
    const note = (text: string): void => void seen.set(text, (seen.get(text) ?? 0) + 1);
    newer.subscribe([on(oldEvent, async ({ text }) => note(text)), on(newEvent, async ({ text }) => note(text))]);
    await until(async () => (await filterOf(owner)).length === 2, { what: 'the durable of the new version' });
    older.subscribe([on(oldEvent, async ({ text }) => note(text))]);
    const texts = Array.from({ length: 60 }, (_, n) => `note ${n}`);
    for (const [n, text] of texts.entries()) await owner.publish(n % 2 ? newEvent : oldEvent, { text }, `id-${n}`);
    await until(() => seen.size === texts.length, { what: 'every note', capMs: 60_000 });
    expect(await deadLetters(owner)).to.equal(0);
    expect(await filterOf(owner)).to.deep.equal([oldEvent.subject, newEvent.subject]);
  }).timeout(90_000);

  it('a filter that another replica has overwritten is widened again', async () => {
    const { owner } = fixture();
    const newer = await open('beta');
    newer.subscribe([on(oldEvent, async () => {}), on(newEvent, async () => {})]);
    await until(async () => (await filterOf(owner)).length === 2, { what: 'the durable of the new version' });
    // As a replica of the old version that read the filter before the new one widened it.
    await owner.jsm.consumers.update('ALPHA', 'beta', { filter_subjects: [oldEvent.subject] });
    await until(async () => (await filterOf(owner)).length === 2, { what: 'both subjects again', capMs: 60_000 });
  }).timeout(90_000);

  it('a durable that was lost with its stream is recreated with the subjects of every version', async () => {
    const { owner } = fixture();
    const newer = await open('beta');
    newer.subscribe([on(oldEvent, async () => {}), on(newEvent, async () => {})]);
    await until(async () => (await filterOf(owner)).length === 2, { what: 'the durable of the new version' });
    const older = await open('beta');
    older.subscribe([on(oldEvent, async () => {})]);
    await until(async () => (await owner.jsm.consumers.info('ALPHA', 'beta')).num_waiting > 4, { what: 'both pull' });
    await newer.close();
    await owner.jsm.consumers.delete('ALPHA', 'beta');
    await until(async () => (await filterOf(owner)).length > 0, { what: 'the durable that the old version made' });
    expect(await filterOf(owner)).to.deep.equal([oldEvent.subject, newEvent.subject]);
  }).timeout(60_000);

  it('messages that no running version consumes do not block the others', async () => {
    const { owner } = fixture();
    const policy = { maxAckPending: 40 };
    const newer = await open('beta');
    newer.subscribe([on(oldEvent, async () => {}), on(newEvent, async () => {})], policy);
    await until(async () => (await filterOf(owner)).length === 2, { what: 'the durable of the new version' });
    await newer.close();
    const seen: string[] = [];
    const older = await open('beta');
    older.subscribe([on(oldEvent, async ({ text }) => void seen.push(text))], policy);
    for (let n = 0; n < 60; n++) await owner.publish(newEvent, { text: `${n}` }, `new-${n}`);
    await owner.publish(oldEvent, { text: 'behind them' }, 'behind them');
    await until(() => seen.length === 1, { what: 'the message behind them', capMs: 90_000 });
  }).timeout(120_000);

  it('an old replica that starts or reconnects after the new one keeps the new subject in the filter', async () => {
    const { owner, nats } = fixture();
    const newer = await open('beta');
    const seen: string[] = [];
    newer.subscribe([on(oldEvent, async () => {}), on(newEvent, async ({ text }) => void seen.push(text))]);
    await until(async () => (await filterOf(owner)).length === 2, { what: 'the durable of the new version' });
    const older = await open('beta');
    older.subscribe([on(oldEvent, async () => {})]);
    await until(async () => (await owner.jsm.consumers.info('ALPHA', 'beta')).num_waiting > 4, { what: 'both pull' });
    await nats.restart();
    await until(() => owner.publish(newEvent, { text: 'after the restart' }, 'id-1').then(() => true), {
      what: 'a publish',
    });
    await until(() => seen.length === 1, { what: 'the new subject’s note', capMs: 60_000 });
    expect(await filterOf(owner)).to.deep.equal([oldEvent.subject, newEvent.subject]);
    await older.close();
  }).timeout(120_000);

  it('the filter keeps a subject that no running version consumes, and its messages are dropped after their returns', async () => {
    const { owner } = fixture();
    const newer = await open('beta');
    newer.subscribe([on(oldEvent, async () => {}), on(newEvent, async () => {})]);
    await until(async () => (await filterOf(owner)).length === 2, { what: 'the durable of the new version' });
    await newer.close();
    const older = await open('beta');
    older.subscribe([on(oldEvent, async () => {})], { maxAckPending: 2 });
    await owner.publish(newEvent, { text: 'for no running version' }, 'id-1');
    await owner.publish(newEvent, { text: 'for no running version' }, 'id-2');
    const unacknowledged = async () => (await owner.jsm.consumers.info('ALPHA', 'beta')).num_ack_pending;
    await until(async () => (await unacknowledged()) === 2, { what: 'two messages in flight' });
    await until(async () => (await unacknowledged()) === 0, { what: 'no message in flight', capMs: 60_000 });
    expect(await deadLetters(owner)).to.equal(0);
    expect(await filterOf(owner)).to.deep.equal([oldEvent.subject, newEvent.subject]);
  }).timeout(90_000);
});
