import { expect } from 'chai';
import fc from 'fast-check';
import { retiresAt, scheduleNext, publishedKeys, signerAt, type ScheduledKey } from '../src/domain/signing-schedule.ts';

const MAX_AGE = 300_000;
const TOKEN_LIFE = 24 * 3_600_000;
const RETIRE_AFTER = TOKEN_LIFE + 300_000;
const START = 1_700_000_000_000;

/** The keys after rotations with these gaps in ms; one that comes too early is rejected and changes nothing. */
function rotated(gaps: readonly number[]): { keys: ScheduledKey[]; end: number } {
  const keys: ScheduledKey[] = [];
  let now = START;
  for (const gap of [0, ...gaps]) {
    now += gap;
    if (keys.some((key) => key.signsFrom > now)) expect(() => scheduleNext(keys, now, MAX_AGE)).to.throw('signs from');
    else keys.push({ kid: `k${keys.length}`, ...scheduleNext(keys, now, MAX_AGE) });
  }
  return { keys, end: now };
}
const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 700_000 }), fc.integer({ min: 0, max: 2 * TOKEN_LIFE })), {
  maxLength: 8,
});
/** A time near the start of one of the keys, where something may change. */
const moments = fc.record({ key: fc.nat(8), distance: fc.integer({ min: -3 * MAX_AGE, max: 3 * MAX_AGE }) });
type Moment = { key: number; distance: number };
function at(keys: readonly ScheduledKey[], { key, distance }: Moment): number {
  return Math.max(START, (keys[key % keys.length]?.signsFrom ?? START) + distance);
}

describe('the schedule of signing keys', () => {
  it('exactly one key signs: the newest that has started', () => {
    fc.assert(
      fc.property(gaps, moments, (given, moment) => {
        const { keys } = rotated(given);
        const now = at(keys, moment);
        const signer = signerAt(keys, now);
        expect(signer.signsFrom).to.be.at.most(now);
        expect(keys.filter((key) => key.signsFrom > signer.signsFrom && key.signsFrom <= now)).to.deep.equal([]);
      }),
    );
  });

  it('no key signs before a verifier with the oldest possible set knows it', () => {
    fc.assert(
      fc.property(gaps, moments, (given, moment) => {
        const { keys } = rotated(given);
        const now = at(keys, moment);
        const signer = signerAt(keys, now);
        const fetched = now - 2 * MAX_AGE; // the oldest set that a verifier may have
        const known = keys.filter((key) => key.publishedAt <= fetched);
        if (known.length > 0) expect(known.map(({ kid }) => kid)).to.include(signer.kid);
      }),
    );
  });

  it('every key with unexpired tokens stays published', () => {
    fc.assert(
      fc.property(gaps, moments, fc.integer({ min: TOKEN_LIFE - MAX_AGE, max: TOKEN_LIFE }), (given, moment, age) => {
        const { keys } = rotated(given);
        const signedAt = at(keys, moment);
        const { kid } = signerAt(keys, signedAt);
        const published = publishedKeys(keys, signedAt + age, RETIRE_AFTER).map((key) => key.kid);
        expect(published).to.include(kid);
      }),
    );
  });

  it('a pending key is published, and in the end every key but the last is retired', () => {
    fc.assert(
      fc.property(gaps, (given) => {
        const { keys, end } = rotated(given);
        const last = keys.at(-1);
        expect(publishedKeys(keys, end, RETIRE_AFTER)[0]).to.deep.equal(last);
        expect(publishedKeys(keys, end + 2 * MAX_AGE + RETIRE_AFTER, RETIRE_AFTER)).to.deep.equal([last]);
        expect(retiresAt(keys, last?.kid ?? '', RETIRE_AFTER)).to.equal(null);
      }),
    );
  });

  it('the schedule does not depend on the order of the keys', () => {
    fc.assert(
      fc.property(gaps, moments, (given, moment) => {
        const { keys } = rotated(given);
        const now = at(keys, moment);
        expect(signerAt(keys.toReversed(), now)).to.deep.equal(signerAt(keys, now));
        expect(publishedKeys(keys.toReversed(), now, RETIRE_AFTER)).to.deep.equal(
          publishedKeys(keys, now, RETIRE_AFTER),
        );
      }),
    );
  });

  it('the very first key signs although the local clock is behind', () => {
    const { keys } = rotated([]);
    expect(signerAt(keys, START - 5_000).kid).to.equal('k0');
  });

  it('signing without a key fails with UNAVAILABLE', () => {
    expect(() => signerAt([], START))
      .to.throw('no signing key')
      .with.property('code', 'UNAVAILABLE');
  });
});
