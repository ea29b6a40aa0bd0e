/** When a credential is renewed, by a clock of the test. */
import { expect } from 'chai';
import fc from 'fast-check';
import { withRenewal, timesOf } from '../../src/cloud/renewal.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function scene(lifeMs = HOUR) {
  const state = { now: 0, loads: 0, away: false, late: [] as string[] };
  const load = async () => {
    state.loads += 1;
    if (state.away) throw new Error('away');
    return { value: state.loads, lifeMs };
  };
  const onLate = (reason: string): void => void state.late.push(reason);
  const current = withRenewal('the test', load, { now: () => state.now, random: () => 0, onLate });
  /** The value at a time, after what its call began has ended. */
  const at = async (now: number): Promise<number> => {
    state.now = now;
    const value = await current();
    await new Promise(setImmediate);
    return value;
  };
  return { state, at, current };
}

describe('renewal of credentials', () => {
  it('a hundred callers at once ask once, and so do those of a renewal', async () => {
    const { state, current, at } = scene();
    expect(new Set(await Promise.all(Array.from({ length: 100 }, current)))).to.deep.equal(new Set([1]));
    expect(state.loads).to.equal(1);
    state.now = 46 * MINUTE;
    expect(new Set(await Promise.all(Array.from({ length: 100 }, current)))).to.deep.equal(new Set([1]));
    expect(state.loads).to.equal(2);
    expect(await at(46 * MINUTE)).to.equal(2);
  });

  it('an issuer that is away for ten minutes, from when it is first needed, is never noticed', async () => {
    const { state, at } = scene();
    expect(await at(0)).to.equal(1);
    state.away = true;
    for (let now = 45 * MINUTE; now < 55 * MINUTE; now += 1_000) expect(await at(now)).to.equal(1);
    expect(state.late.length).to.be.within(50, 200);
    expect(state.late[0]).to.equal('the test cannot be renewed: away');
    state.away = false;
    await at(55 * MINUTE + 10_000);
    expect(await at(55 * MINUTE + 10_001)).to.be.above(1);
  });

  it('without a valid one the error is thrown, asked for at most every half second, and gone with the outage', async () => {
    const { state, at, current } = scene();
    state.away = true;
    let failed = 0;
    for (state.now = 0; state.now < 60_000; state.now += 10)
      failed += await current().then(
        () => 0,
        () => 1,
      );
    expect(failed).to.equal(6_000);
    expect(state.loads).to.be.within(8, 30);
    state.away = false;
    expect(await at(state.now + 10_000)).to.be.above(1);
  });

  it('property: it is renewed while it is used, and not used to its end', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1_000, max: 12 * HOUR, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (life, random) => {
          const { renewAfterMs, endsAfterMs } = timesOf(life, random);
          expect(renewAfterMs).to.be.above(0).and.below(endsAfterMs);
          expect(endsAfterMs).to.be.below(life);
          if (life >= HOUR) expect(endsAfterMs - renewAfterMs).to.be.above(10 * MINUTE);
        },
      ),
    );
  });
});
