import fc from 'fast-check';
import { expect } from 'chai';
import {
  MAX_WAITING_RETRIES,
  decideRedelivery,
  decideUnhandled,
  failureOf,
  failures,
  type Failure,
} from '../../src/bus/redelivery.ts';
import { AppError } from '../../src/errors.ts';

const policy = { retryDelaysMs: [200, 1_000, 5_000, 90_000], dependencyTries: 5 };
const anyFailure = fc.constantFrom<Failure>('rejected', 'dependency', 'defect');

describe('the decision about a message whose handler failed', () => {
  it('rejected credentials and an unavailable database are not the message’s fault', () => {
    const away = [
      new AppError('UNAUTHENTICATED', 'the token was rotated'),
      new AppError('PERMISSION_DENIED', 'the policy is not there yet'),
      new AppError('UNAVAILABLE', 'catalog is unavailable'),
      Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
      Object.assign(new Error('shutting down'), { code: '57P01' }),
    ];
    expect(away.map(failureOf)).to.deep.equal(away.map(() => 'dependency'));
  });

  it('a missing object, a busy row and a bug concern one message; what a retry cannot help is rejected', () => {
    expect(failureOf(new AppError('NOT_FOUND', 'no such object'))).to.equal('defect');
    expect(failureOf(new AppError('ABORTED', 'kept changing'))).to.equal('defect');
    expect(failureOf(new TypeError('x is undefined'))).to.equal('defect');
    expect(failureOf(new AppError('INVALID_ARGUMENT', 'cannot decode'))).to.equal('rejected');
  });

  it('no redelivery is delayed for more than 30 s, and each message is dead-lettered after a bounded number', () => {
    fc.assert(
      fc.property(fc.infiniteStream(anyFailure), fc.nat(2 * MAX_WAITING_RETRIES), (kinds, waiting) => {
        const counts = failures(() => 0);
        for (let delivery = 1; delivery <= 20; delivery++) {
          const failure = kinds.next().value;
          const verdict = decideRedelivery(failure, counts.add('m', failure), waiting, policy);
          if (verdict.outcome === 'dead_lettered') return;
          expect(verdict.delayMs).to.be.within(1, 30_000);
        }
        expect.fail('still redelivered after 20 failures');
      }),
    );
  });

  it('dependency failures use up no try of a defect, and none at all while nothing succeeds', () => {
    const counts = failures(() => 0);
    for (let n = 0; n < 1_000; n++) counts.add('m', 'dependency', true);
    expect(counts.add('m', 'defect')).to.deep.equal({ defects: 1, dependencies: 0 });
    expect(counts.add('m', 'dependency')).to.deep.equal({ defects: 1, dependencies: 1 });
  });

  it('among many failing messages each gets two short retries, otherwise all of them', () => {
    const tries = (waiting: number): number => {
      let defects = 1;
      while (decideRedelivery('defect', { defects, dependencies: 0 }, waiting, policy).outcome === 'retried') defects++;
      return defects - 1;
    };
    expect(tries(MAX_WAITING_RETRIES)).to.equal(4);
    expect(tries(MAX_WAITING_RETRIES + 1)).to.equal(2);
  });

  it('delays after dependency failures double from 1 s to 30 s', () => {
    const delayOf = (dependencies: number): unknown =>
      decideRedelivery('dependency', { defects: 0, dependencies }, 0, { ...policy, dependencyTries: 10_000 });
    expect([0, 1, 2, 3, 4, 5, 6, 7, 5_000].map(delayOf)).to.deep.equal(
      [1, 1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => ({ outcome: 'retried', delayMs: 1_000 * seconds })),
    );
  });

  it('a message of another version returns after 1 s, later after 30 s, and is dropped after 20 returns', () => {
    const of = (delivery: number) => decideUnhandled(delivery, false);
    expect([1, 10, 11, 20].map(of)).to.deep.equal(
      [1_000, 1_000, 30_000, 30_000].map((delayMs) => ({ outcome: 'returned', delayMs })),
    );
    expect(of(21)).to.deep.equal({ outcome: 'unwanted' });
  });

  it('while too many messages are unacknowledged, one of another version is dropped once none has taken it for 10 s', () => {
    expect(decideUnhandled(10, true)).to.deep.equal({ outcome: 'returned', delayMs: 1_000 });
    expect(decideUnhandled(11, true)).to.deep.equal({ outcome: 'unwanted' });
  });

  it('messages waiting for a dependency do not count as saturation', () => {
    const counts = failures(() => 0);
    for (let n = 0; n < 2 * MAX_WAITING_RETRIES; n++) counts.add(`away ${n}`, 'dependency');
    expect(counts.waiting()).to.equal(0);
    counts.add('away 1', 'defect');
    expect(counts.waiting()).to.equal(1);
  });

  it('messages that another process has handled since no longer count as waiting', () => {
    let now = 0;
    const counts = failures(() => now);
    counts.add('a', 'defect');
    counts.add('b', 'defect');
    now = 119_000;
    counts.add('a', 'defect');
    expect(counts.waiting()).to.equal(2);
    now = 121_000;
    expect(counts.waiting()).to.equal(1);
    counts.forget('a');
    expect(counts.waiting()).to.equal(0);
  });
});
