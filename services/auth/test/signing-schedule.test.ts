import { expect } from 'chai';
import fc from 'fast-check';
import { retiresAt, scheduleNext, shownAt, signerAt, type ScheduledKey } from '../src/domain/signing-schedule.ts';

const MAX_AGE = 300_000;
const TOKEN_LIFE = 24 * 3_600_000;
const RETIRE_AFTER = TOKEN_LIFE + 300_000;
const START = 1_700_000_000_000;

/** The keys after rotations at these distances, in ms; one that comes too early is refused and changes nothing. */
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
/** A moment near the beginning of one of the keys, where something may change. */
const moments = fc.record({ key: fc.nat(8), distance: fc.integer({ min: -3 * MAX_AGE, max: 3 * MAX_AGE }) });
type Moment = { key: number; distance: number };
function at(keys: readonly ScheduledKey[], { key, distance }: Moment): number {
  return Math.max(START, (keys[key % keys.length]?.signsFrom ?? START) + distance);
}

describe('the schedule of signing keys', () => {
  it('lets exactly one key sign, and of those that have begun the newest', () => {
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

  it('signs with no key that a verifier with an old set may not know yet', () => {
    fc.assert(
      fc.property(gaps, moments, (given, moment) => {
        const { keys } = rotated(given);
        const now = at(keys, moment);
        const signer = signerAt(keys, now);
        const fetched = now - 2 * MAX_AGE; // the oldest set that anybody may hold
        const known = keys.filter((key) => key.publishedAt <= fetched);
        if (known.length > 0) expect(known.map(({ kid }) => kid)).to.include(signer.kid);
      }),
    );
  });

  it('shows every key whose tokens may still be alive', () => {
    fc.assert(
      fc.property(gaps, moments, fc.integer({ min: TOKEN_LIFE - MAX_AGE, max: TOKEN_LIFE }), (given, moment, age) => {
        const { keys } = rotated(given);
        const signedAt = at(keys, moment);
        const { kid } = signerAt(keys, signedAt);
        const shown = shownAt(keys, signedAt + age, RETIRE_AFTER).map((key) => key.kid);
        expect(shown).to.include(kid);
      }),
    );
  });

  it('shows the waiting key, and forgets every key but the last in the end', () => {
    fc.assert(
      fc.property(gaps, (given) => {
        const { keys, end } = rotated(given);
        const last = keys.at(-1);
        expect(shownAt(keys, end, RETIRE_AFTER)[0]).to.deep.equal(last);
        expect(shownAt(keys, end + 2 * MAX_AGE + RETIRE_AFTER, RETIRE_AFTER)).to.deep.equal([last]);
        expect(retiresAt(keys, last?.kid ?? '', RETIRE_AFTER)).to.equal(null);
      }),
    );
  });

  it('gives the same answers in whatever order the keys are listed', () => {
    fc.assert(
      fc.property(gaps, moments, (given, moment) => {
        const { keys } = rotated(given);
        const now = at(keys, moment);
        expect(signerAt(keys.toReversed(), now)).to.deep.equal(signerAt(keys, now));
        expect(shownAt(keys.toReversed(), now, RETIRE_AFTER)).to.deep.equal(shownAt(keys, now, RETIRE_AFTER));
      }),
    );
  });

  it('lets the very first key sign although its own clock runs behind', () => {
    const { keys } = rotated([]);
    expect(signerAt(keys, START - 5_000).kid).to.equal('k0');
  });

  it('says so when there is no key', () => {
    expect(() => signerAt([], START))
      .to.throw('no signing key')
      .with.property('code', 'UNAVAILABLE');
  });
});
