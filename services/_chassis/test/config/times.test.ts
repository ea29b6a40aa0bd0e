import { expect } from 'chai';
import fc from 'fast-check';
import { readConfig } from '../../src/config/config.ts';
import { checkExceptions, scaled, timeScale, unscaled } from '../../src/config/times.ts';

const spec = { ...scaled({ leaseMs: 60_000, delaysMs: [1_000, 5_000] }), ...unscaled({ connectMs: 10_000 }) };

describe('times', () => {
  it('without TIME_SCALE each time is its constant', () => {
    expect(readConfig(spec, {})).to.deep.equal({ leaseMs: 60_000, delaysMs: [1_000, 5_000], connectMs: 10_000 });
  });

  it('a factor multiplies times of the contract, and no time of others', () => {
    const times = readConfig(spec, { TIME_SCALE: '0.5' });
    expect(times).to.deep.equal({ leaseMs: 30_000, delaysMs: [500, 2_500], connectMs: 10_000 });
  });

  it('an exception replaces one time, whatever the factor, and the last of each counts', () => {
    const times = readConfig(spec, { TIME_SCALE: 'connect=1m,0.5,connect=1s,delays=20ms+1m' });
    expect(times).to.deep.equal({ leaseMs: 30_000, delaysMs: [20, 60_000], connectMs: 1_000 });
  });

  it('no factor makes a time shorter than 200 ms, or a shorter one longer', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.integer({ min: 1, max: 1e9 }), (factor, ms) => {
        const { aMs } = readConfig(scaled({ aMs: ms }), { TIME_SCALE: String(factor) });
        expect(aMs).to.be.within(Math.min(ms, 200), ms);
      }),
    );
  });

  it('a factor of nothing, a misspelt duration and an unknown name are rejected', () => {
    for (const value of ['0', '-1', 'fast', '0.5,soon'])
      expect(() => readConfig(spec, { TIME_SCALE: value })).to.throw('TIME_SCALE');
    expect(() => readConfig(spec, { TIME_SCALE: '1,lease=soon' })).to.throw('TIME_SCALE must be a duration');
    const check = () => checkExceptions(spec, timeScale('1,laese=3s', 'TIME_SCALE'));
    expect(check).to.throw('TIME_SCALE names unknown times: laese');
  });
});
