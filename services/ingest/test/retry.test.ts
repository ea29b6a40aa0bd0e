import { readConfig } from '@vds/chassis/config/config';
import { expect } from 'chai';
import { ingestConfig } from '../src/config.ts';
import fc from 'fast-check';
import { failures } from '@vds/proto/failures';
import { defaultRetryPolicy, nextTry } from '../src/domain/retry.ts';
import { sourceFaults, type SourceFaultKind } from '../src/domain/source-fault.ts';
import { countRead, emptyWindow } from '../src/domain/transfer-rate.ts';

const kinds = Object.keys(sourceFaults) as SourceFaultKind[];
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Runs a fetch that always meets the same fault; each try takes `tryMs`. */
function runOut(fault: SourceFaultKind, tryMs: number, dice: () => number, retryAfterMs = 0) {
  const pauses: number[] = [];
  let elapsedMs = 0;
  for (let tries = 1; ; tries++) {
    elapsedMs += tryMs;
    const verdict = nextTry({ fault, tries, elapsedMs, retryAfterMs }, defaultRetryPolicy, dice());
    if (verdict.kind === 'failed') return { code: verdict.code, tries, pauses, elapsedMs };
    pauses.push(verdict.delayMs);
    elapsedMs += verdict.delayMs;
  }
}

describe('retries of a source', () => {
  it('every fault ends with a failure code of the fetch stage', () => {
    for (const kind of kinds) expect(failures[runOut(kind, 100, Math.random).code].stage).to.equal('fetch');
  });

  it('a fault that waiting cannot help fails the fetch at once', () => {
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

  it('a transient fault is tried six times, with growing pauses', () => {
    for (const kind of [
      'connect_failed',
      'status_transient',
      'idle_timeout',
      'body_truncated',
      'dns_failed',
    ] as const) {
      const { tries, pauses } = runOut(kind, 100, Math.random);
      expect(tries).to.equal(6);
      expect(pauses).to.deep.equal(pauses.toSorted((a, b) => a - b));
    }
  });

  it('the tries begin within 14 minutes of the first, for any fault, length of tries, jitter and Retry-After', () => {
    const ms = fc.integer({ min: 0, max: 200_000 });
    const retryAfter = fc.oneof(ms, fc.nat());
    fc.assert(
      fc.property(fc.constantFrom(...kinds), ms, random, retryAfter, (fault, tryMs, dice, retryAfterMs) => {
        const { tries, elapsedMs } = runOut(fault, tryMs, () => dice, retryAfterMs);
        expect(tries).to.be.at.most(6);
        expect(elapsedMs - tryMs).to.be.at.most(14 * 60_000);
        // The first begins within `startWithinMs` and a sweep: all of them within the half hour of a signed address.
        const { startWithinMs, overdueEveryMs } = readConfig(
          { startWithinMs: ingestConfig.startWithinMs, overdueEveryMs: ingestConfig.overdueEveryMs },
          {},
        );
        expect(startWithinMs + overdueEveryMs + 14 * 60_000).to.be.at.most(30 * 60_000);
      }),
    );
  });

  it('the pauses have a jitter of 20 percent in both directions', () => {
    const soFar = { fault: 'connect_failed', tries: 3, elapsedMs: 0, retryAfterMs: 0 } as const;
    const at = (dice: number) => nextTry(soFar, defaultRetryPolicy, dice);
    expect(at(0)).to.deep.equal({ kind: 'retry', delayMs: 48_000 });
    expect(at(0.999_999)).to.deep.equal({ kind: 'retry', delayMs: 72_000 });
  });
});

describe('the pause that a host asks for', () => {
  const pauseOf = (retryAfterMs: number, elapsedMs = 0) =>
    nextTry({ fault: 'status_transient', tries: 1, elapsedMs, retryAfterMs }, defaultRetryPolicy, 0.5);

  it('a longer pause that a host asks for is kept, up to the end of the window', () => {
    expect(pauseOf(12 * 60_000)).to.deep.equal({ kind: 'retry', delayMs: 12 * 60_000 });
    expect(pauseOf(14 * 60_000)).to.deep.equal({ kind: 'retry', delayMs: 14 * 60_000 });
    expect(pauseOf(12 * 60_000, 2 * 60_000)).to.deep.equal({ kind: 'retry', delayMs: 12 * 60_000 });
  });

  it('a host that asks for a shorter pause, or for one that ends behind the window, is tried as any other', () => {
    for (const [retryAfterMs, elapsedMs] of [
      [1_000, 0],
      [14 * 60_000 + 1, 0],
      [12 * 60_000, 2 * 60_000 + 1],
    ] as const)
      expect(pauseOf(retryAfterMs, elapsedMs)).to.deep.equal({ kind: 'retry', delayMs: 5_000 });
  });
});

describe('the minimum rate', () => {
  const limit = { bytesPerSecond: 1_000, windowMs: 10_000 };

  it('the minimum rate is not checked before the window is full', () => {
    expect(countRead(emptyWindow, 1, 9_999, limit).tooSlow).to.equal(false);
  });

  it('a source at exactly the minimum rate passes, and one byte less is too slow', () => {
    expect(countRead(emptyWindow, 10_000, 10_000, limit)).to.deep.equal({ window: emptyWindow, tooSlow: false });
    expect(countRead(emptyWindow, 9_999, 10_000, limit).tooSlow).to.equal(true);
  });

  it('a fast window does not offset a later slow one', () => {
    const fast = countRead(emptyWindow, 1_000_000, 10_000, limit);
    expect(countRead(fast.window, 10, 10_000, limit).tooSlow).to.equal(true);
  });

  it('time in which we do not read does not count against the minimum rate', () => {
    expect(countRead({ bytes: 0, waitedMs: 0 }, 10, 0, limit).tooSlow).to.equal(false);
  });
});
