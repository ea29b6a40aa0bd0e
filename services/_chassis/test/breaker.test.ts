import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { createBreaker } from '../src/breaker.ts';

function withClock(firstPauseMs = 100) {
  let at = 0;
  const changes: boolean[] = [];
  const breaker = createBreaker({ firstPauseMs, now: () => at, onChange: (open) => changes.push(open) });
  return { breaker, changes, pass: (ms: number) => void (at += ms) };
}

describe('a circuit breaker', () => {
  it('a breaker opens after failures of three different keys in a row, and not of one key, however often', () => {
    const { breaker, changes } = withClock();
    for (let n = 0; n < 50; n += 1) breaker.failed('a', false);
    breaker.failed('b', false);
    expect(breaker.isOpen()).to.equal(false);
    breaker.failed('c', false);
    expect(breaker.isOpen()).to.equal(true);
    expect(changes).to.deep.equal([true]);
  });

  it('a success between failures keeps a breaker closed', () => {
    const { breaker } = withClock();
    for (const key of 'abcdefgh') {
      breaker.failed(key, false);
      if (key === 'b' || key === 'd' || key === 'f') breaker.succeeded();
    }
    expect(breaker.isOpen()).to.equal(false);
  });

  it('an open breaker lets one probe through after each pause, which doubles up to four times the first', () => {
    const { breaker, pass } = withClock();
    for (const key of 'abc') breaker.failed(key, false);
    const pauses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const wait = breaker.admit();
      pauses.push(Number(wait));
      pass(Number(wait));
      expect(breaker.admit()).to.equal('probe');
      expect(breaker.admit()).to.be.a('number');
      breaker.failed('d', true);
      breaker.failed('d', true);
      breaker.probeEnded();
    }
    expect(pauses).to.deep.equal([100, 200, 400, 400, 400, 400]);
  });

  it('a running probe delays the next one by one pause, and an ended one not at all', () => {
    const { breaker, pass } = withClock();
    for (const key of 'abc') breaker.failed(key, false);
    pass(100);
    expect(breaker.admit()).to.equal('probe');
    expect(breaker.admit()).to.equal(100);
    pass(99);
    expect(breaker.admit()).to.equal(1);
    pass(1);
    expect(breaker.admit()).to.equal('probe');
    breaker.probeEnded();
    expect(breaker.admit()).to.equal('probe');
  });

  it('a breaker is open exactly from the third failure of a different key until the next success', () => {
    const step = fc.oneof(
      fc.record({ failed: fc.constantFrom('a', 'b', 'c', 'd') }),
      fc.constant('succeeded' as const),
      fc.record({ pass: fc.nat(500) }),
      fc.constant('admit' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { breaker, pass } = withClock();
        let inARow = new Set<string>();
        let probing = false;
        let lastProbeAt = -Infinity;
        let at = 0;
        for (const one of steps) {
          if (one === 'succeeded') {
            breaker.succeeded();
            inARow = new Set();
          } else if (one === 'admit') {
            const admitted = breaker.admit();
            expect(admitted === 'closed').to.equal(inARow.size < 3);
            if (admitted === 'probe') {
              if (probing) expect(at - lastProbeAt).to.be.at.least(100);
              [probing, lastProbeAt] = [true, at];
            }
            // Whatever happens, it soon probes again.
            if (typeof admitted === 'number') expect(admitted).to.be.within(0, 400);
          } else if ('pass' in one) {
            pass(one.pass);
            at += one.pass;
          } else {
            if (inARow.size < 3) inARow.add(one.failed);
            breaker.failed(one.failed, probing);
            if (probing) breaker.probeEnded();
            probing = false;
          }
          expect(breaker.isOpen()).to.equal(inARow.size === 3);
        }
      }),
      { numRuns: runs(1_000) },
    );
  });
});
