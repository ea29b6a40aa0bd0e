/** Replicas of two versions of one service on the same durable, as during a rollout. */
import fc from 'fast-check';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { on, type Bus } from '../../src/bus/bus.ts';
import { gapOf, mergeWanted, type WantedSubjects } from '../../src/bus/durable.ts';
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

  it('an old replica drops no message of a subject that a new version has added since the old one looked', async () => {
    const { owner } = fixture();
    const seen = new Set<string>();
    const older = await open('beta');
    older.subscribe([on(oldEvent, async () => {})]);
    await until(async () => (await filterOf(owner)).length === 1, { what: 'the durable of the old version' });
    await sleep(2_500); // it has looked once more, and does not soon again
    const newer = await open('beta');
    newer.subscribe([on(oldEvent, async () => {}), on(newEvent, async ({ text }) => void seen.add(text))]);
    await until(async () => (await filterOf(owner)).length === 2, { what: 'the durable of the new version' });
    const texts = Array.from({ length: 40 }, (_, n) => `note ${n}`);
    for (const text of texts) await owner.publish(newEvent, { text }, text);
    await until(() => seen.size === texts.length, { what: 'every note' });
  }).timeout(60_000);

  it('a filter that another replica has overwritten is widened again, and what was published meanwhile is delivered', async () => {
    const { owner } = fixture();
    const seen: string[] = [];
    const newer = await open('beta');
    const handle = async ({ text }: { text: string }): Promise<void> => void seen.push(text);
    newer.subscribe([on(oldEvent, handle), on(newEvent, handle)]);
    await owner.publish(newEvent, { text: 'before' }, 'before');
    await until(() => seen.length === 1, { what: 'the first note' });
    // What a replica of the old version does that read the filter before the new one widened it.
    await owner.jsm.consumers.update('ALPHA', 'beta', { filter_subjects: [oldEvent.subject] });
    await owner.publish(newEvent, { text: 'meanwhile' }, 'meanwhile');
    await owner.publish(oldEvent, { text: 'passes it' }, 'passes it');
    await until(() => seen.includes('passes it'), { what: 'the durable is beyond the note' });
    await until(() => seen.includes('meanwhile'), { what: 'the note that it passed over', capMs: 60_000 });
    expect(await filterOf(owner)).to.deep.equal([oldEvent.subject, newEvent.subject]);
  }).timeout(90_000);

  it('a durable that was lost with its stream is made anew with the subjects of every version', async () => {
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

  it('messages that only a version consumes of which no replica runs do not keep the others from being delivered', async () => {
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

  it('an old replica that starts or connects again after the new one leaves the new subject in the filter', async () => {
    const { owner, nats } = fixture();
    const newer = await open('beta');
    const seen: string[] = [];
    newer.subscribe([on(oldEvent, async () => {}), on(newEvent, async ({ text }) => void seen.push(text))]);
    await until(async () => (await filterOf(owner)).length === 2, { what: 'the durable of the new version' });
    const older = await open('beta');
    older.subscribe([on(oldEvent, async () => {})]);
    await sleep(300);
    await nats.restart();
    await until(() => owner.publish(newEvent, { text: 'after the restart' }, 'id-1').then(() => true), {
      what: 'a publish',
    });
    await until(() => seen.length === 1, { what: 'the new subject’s note' });
    expect(await filterOf(owner)).to.deep.equal([oldEvent.subject, newEvent.subject]);
    await older.close();
  }).timeout(60_000);

  it('a subject that no replica has wanted for its age leaves the filter, and its messages are dropped', async () => {
    const { owner } = fixture();
    const newer = await open('beta');
    newer.subscribe([on(oldEvent, async () => {}), on(newEvent, async () => {})]);
    await until(async () => (await filterOf(owner)).length === 2, { what: 'the durable of the new version' });
    await newer.close();
    await sleep(1_100); // the times are whole seconds
    const older = await open('beta');
    older.subscribe([on(oldEvent, async () => {})], { subjectAgeMs: 1_000 });
    await owner.publish(newEvent, { text: 'nobody’s' }, 'id-1');
    await until(async () => (await filterOf(owner)).join() === oldEvent.subject, {
      what: 'the narrowed filter',
      capMs: 90_000,
    });
    const unacknowledged = async () => (await owner.jsm.consumers.info('ALPHA', 'beta')).num_ack_pending;
    await until(async () => (await unacknowledged()) === 0, { what: 'no message in flight', capMs: 60_000 });
    expect(await deadLetters(owner)).to.equal(0);
  }).timeout(180_000);
});

describe('the subjects of a durable', () => {
  const subject = fc.constantFrom('a', 'b', 'c', 'd');
  const before = fc.dictionary(subject, fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }));
  const AGE = 3_600;

  it('a version always finds its own subjects, and removes none that another has wanted since the newest one’s age', () => {
    fc.assert(
      fc.property(before, fc.uniqueArray(subject), fc.integer({ min: 10_000, max: 20_000 }), (wanted, own, now) => {
        const merged = mergeWanted(wanted, own, now, AGE);
        expect(Object.keys(merged)).to.include.members(own);
        const newest = Math.max(...Object.values(wanted).map((at) => at ?? 0));
        const stale = Object.keys(wanted).filter((name) => !(name in merged));
        for (const name of stale) expect(wanted[name]).to.be.at.most(newest - AGE);
        for (const [name, at] of Object.entries(merged)) expect(at).to.be.at.least(wanted[name] ?? 0);
      }),
    );
  });

  it('a check changes nothing until a quarter of the age has passed', () => {
    const first = mergeWanted({}, ['a', 'b'], 10_000, AGE);
    expect(mergeWanted(first, ['a'], 10_000 + AGE / 4 - 1, AGE)).to.deep.equal(first);
    expect(mergeWanted(first, ['a'], 10_000 + AGE / 4 + 1, AGE)).to.deep.equal({ a: 10_000 + AGE / 4 + 1, b: 10_000 });
  });

  it('a durable has passed over messages where it is ahead of its stream, or lacks a subject that this process saw in it', () => {
    const durable = (delivered: number, subjects: string[], created = 'monday') => ({
      created,
      delivered: { stream_seq: delivered },
      config: { filter_subjects: subjects },
    });
    const stream = { state: { last_seq: 10 } };
    const before = { wanted: { a: 1, b: 1 }, created: 'monday', delivered: 5 };
    const gap = (found: ReturnType<typeof durable>, seen?: typeof before) => gapOf(found, stream, ['a', 'b'], seen);
    expect(gap(durable(10, ['a', 'b']), before)).to.equal(undefined);
    expect(gap(durable(10, ['a'])), 'a subject that is new').to.equal(undefined);
    expect(gap(durable(10, ['a']), before)).to.deep.equal({ after: 5, reason: 'filter overwritten' });
    expect(gap(durable(10, ['a'], 'tuesday'), before)).to.deep.equal({ after: 0, reason: 'filter overwritten' });
    expect(gap(durable(11, ['a', 'b']), before)).to.deep.equal({ after: 0, reason: 'ahead of its stream' });
  });

  it('after a long time in which no replica ran, the first one to start removes nothing', () => {
    const stored: WantedSubjects = { a: 10_000, b: 10_000 };
    expect(Object.keys(mergeWanted(stored, ['a'], 10_000 + 100 * AGE, AGE))).to.have.members(['a', 'b']);
  });
});
