import { expect } from 'chai';
import fc from 'fast-check';
import { failures } from '@vds/proto/failures';
import { defaultRetryPolicy, nextTry } from '../src/domain/retry.ts';
import { sourceFaults, type SourceFaultKind } from '../src/domain/source-fault.ts';
import { countRead, emptyWindow } from '../src/domain/transfer-rate.ts';

const kinds = Object.keys(sourceFaults) as SourceFaultKind[];
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Runs a fetch that always meets the same fault; each try takes `tryMs`. */
function runOut(fault: SourceFaultKind, tryMs: number, dice: () => number) {
  const pauses: number[] = [];
  let elapsedMs = 0;
  for (let tries = 1; ; tries++) {
    elapsedMs += tryMs;
    const verdict = nextTry({ fault, tries, elapsedMs }, defaultRetryPolicy, dice());
    if (verdict.kind === 'failed') return { code: verdict.code, tries, pauses, elapsedMs };
    pauses.push(verdict.delayMs);
    elapsedMs += verdict.delayMs;
  }
}

describe('trying a source again', () => {
  it('ends every fault with a code of the failure table that belongs to fetching', () => {
    for (const kind of kinds) expect(failures[runOut(kind, 100, Math.random).code].stage).to.equal('fetch');
  });

  it('gives up at once where waiting cannot help', () => {
    for (const kind of [
      'address_blocked',
      'status_not_found',
      'status_forbidden',
      'too_large',
      'certificate_invalid',
      'total_timeout',
    ] as const)
      expect(runOut(kind, 100, Math.random).tries).to.equal(1);
  });

  it('makes six tries where it may help, with growing pauses', () => {
    for (const kind of ['connect_failed', 'status_passing', 'idle_timeout', 'body_cut', 'dns_failed'] as const) {
      const { tries, pauses } = runOut(kind, 100, Math.random);
      expect(tries).to.equal(6);
      expect(pauses).to.deep.equal(pauses.toSorted((a, b) => a - b));
    }
  });

  it('is over within 25 minutes of the first try, whatever the fault, the tries’ length and the dice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.integer({ min: 0, max: 200_000 }), random, (fault, tryMs, dice) => {
        const { tries, elapsedMs } = runOut(fault, tryMs, () => dice);
        expect(tries).to.be.at.most(6);
        expect(elapsedMs - tryMs).to.be.at.most(25 * 60_000);
      }),
    );
  });

  it('spreads the pauses by a fifth to both sides', () => {
    const at = (dice: number) => nextTry({ fault: 'connect_failed', tries: 3, elapsedMs: 0 }, defaultRetryPolicy, dice);
    expect(at(0)).to.deep.equal({ kind: 'again', delayMs: 48_000 });
    expect(at(0.999_999)).to.deep.equal({ kind: 'again', delayMs: 72_000 });
  });
});

describe('the minimum rate', () => {
  const limit = { bytesPerSecond: 1_000, windowMs: 10_000 };

  it('is not judged before the window is full', () => {
    expect(countRead(emptyWindow, 1, 9_999, limit).tooSlow).to.equal(false);
  });

  it('is kept by exactly the rate and missed by a byte less', () => {
    expect(countRead(emptyWindow, 10_000, 10_000, limit)).to.deep.equal({ window: emptyWindow, tooSlow: false });
    expect(countRead(emptyWindow, 9_999, 10_000, limit).tooSlow).to.equal(true);
  });

  it('forgets a fast past when the window is full', () => {
    const fast = countRead(emptyWindow, 1_000_000, 10_000, limit);
    expect(countRead(fast.window, 10, 10_000, limit).tooSlow).to.equal(true);
  });

  it('never judges a source for time in which we did not read', () => {
    expect(countRead({ bytes: 0, waitedMs: 0 }, 10, 0, limit).tooSlow).to.equal(false);
  });
});
