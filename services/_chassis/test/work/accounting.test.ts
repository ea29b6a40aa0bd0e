import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { decideRetry, needsQuarantine, type JobHistory, type RetryLimits } from '../../src/work/accounting.ts';

const day = 86_400_000;
const limits: RetryLimits = {
  ...{ maxTries: 5, retryDelaysMs: [1_000, 5_000, 20_000, 60_000] },
  ...{ dependencyLimitMs: day, missingLimitMs: 600_000 },
};
const kinds = ['input', 'away', 'missing', 'crash', 'defect', 'hopeless', 'stopped'] as const;
type Kind = (typeof kinds)[number];
type Step = { readonly kind: Kind; readonly afterMs: number };

function failedTry(kind: Exclude<Kind, 'stopped'>) {
  const none = { missing: false, permanent: false };
  if (kind === 'away') return { ...none, class: 'dependency' } as const;
  if (kind === 'missing') return { ...none, class: 'dependency', missing: true } as const;
  if (kind === 'hopeless') return { ...none, class: 'defect', permanent: true } as const;
  return { ...none, class: kind } as const;
}

/**
 * The life of a job, kept as its row would keep it, and, apart from that, what happened to it. Each step is a try that
 * ends after some time of waiting and working.
 */
function live(steps: readonly Step[]) {
  let history: JobHistory = { tries: 0, crashes: 0, blockedBy: null, blockedMs: 0 };
  const happened: { kind: Kind; alone: boolean; delayMs: number; waitingMs: number }[] = [];
  let waitingSince: { kind: Kind; ms: number } | undefined;
  for (const { kind, afterMs } of steps) {
    history = { ...history, blockedMs: history.blockedBy === null ? 0 : history.blockedMs + afterMs };
    waitingSince = waitingSince && { ...waitingSince, ms: waitingSince.ms + afterMs };
    const alone = needsQuarantine(history.crashes);
    if (kind === 'stopped') continue;
    if (waitingSince?.kind !== kind) waitingSince = kind === 'away' || kind === 'missing' ? { kind, ms: 0 } : undefined;
    const verdict = decideRetry(failedTry(kind), history, limits);
    const waitingMs = waitingSince?.ms ?? 0;
    happened.push({ kind, alone, delayMs: verdict.kind === 'retry' ? verdict.delayMs : 0, waitingMs });
    if (verdict.kind === 'failed') return { failedAt: happened.length, happened };
    const { counts } = verdict;
    const blocked = counts === 'dependency' || counts === 'missing';
    history = {
      tries: history.tries + (counts === 'defect' ? 1 : 0),
      crashes: history.crashes + (counts === 'crash' ? 1 : 0),
      blockedBy: blocked ? counts : null,
      blockedMs: blocked && history.blockedBy === counts ? history.blockedMs : 0,
    };
  }
  return { failedAt: undefined, happened };
}

const anyLife = fc.array(fc.record({ kind: fc.constantFrom(...kinds), afterMs: fc.nat(day / 4) }), { maxLength: 40 });

describe('the accounting of failed tries', () => {
  it('a job fails exactly for an input error, a fifth or hopeless defect, a second crash alone, or a day of waiting', () => {
    fc.assert(
      fc.property(anyLife, (steps) => {
        const { failedAt, happened } = live(steps);
        happened.forEach(({ kind, alone, waitingMs }, index) => {
          const soFar = happened.slice(0, index + 1);
          const due =
            kind === 'input' ||
            kind === 'hopeless' ||
            (kind === 'defect' && soFar.filter((one) => one.kind === 'defect').length === 5) ||
            (kind === 'crash' && alone && soFar.filter((one) => one.kind === 'crash' && one.alone).length === 2) ||
            (kind === 'away' && waitingMs >= day) ||
            (kind === 'missing' && waitingMs >= 600_000);
          expect(due, `step ${index} of ${JSON.stringify(happened)}`).to.equal(failedAt === index + 1);
        });
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('a job that only ever crashes beside others runs alone from its third try on and never fails for it', () => {
    const { happened, failedAt } = live([1, 2, 3, 4].map(() => ({ kind: 'crash', afterMs: 1 })));
    expect(happened.map(({ alone }) => alone)).to.deep.equal([false, false, true, true]);
    expect(failedAt).to.equal(4);
  });

  it('the delays of each kind grow, and stay between a second and a minute, or 20 s of what only waits', () => {
    const longest = { away: 20_000, missing: 20_000, defect: 60_000, crash: 60_000 };
    for (const kind of ['away', 'missing', 'defect', 'crash'] as const) {
      const { happened } = live(Array.from({ length: 20 }, () => ({ kind, afterMs: 10_000 })));
      const delays = happened.map(({ delayMs }) => delayMs).filter((ms) => ms > 0);
      expect(delays, kind).to.deep.equal([...delays].sort((a, b) => a - b));
      expect(delays[0], kind).to.equal(1_000);
      expect(
        delays.every((ms) => ms >= 1_000 && ms <= longest[kind]),
        kind,
      ).to.equal(true);
    }
  });
});
