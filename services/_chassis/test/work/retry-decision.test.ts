import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { decideRetry, needsQuarantine, type JobHistory, type RetryLimits } from '../../src/work/retry-decision.ts';

const DAY = 86_400_000;
const limits: RetryLimits = {
  ...{ maxTries: 5, retryDelaysMs: [1_000, 5_000, 20_000, 60_000] },
  ...{ dependencyLimitMs: DAY, missingLimitMs: 600_000 },
};
const kinds = ['input', 'away', 'missing', 'crash', 'defect', 'hopeless', 'stopped'] as const;
type Kind = (typeof kinds)[number];
/** A try, and how long the queue was paused before it. */
type Step = { readonly kind: Kind; readonly pausedMs: number; readonly tookMs: number };

function failedTry({ kind, tookMs, pausedMs }: Step & { readonly kind: Exclude<Kind, 'stopped'> }) {
  const none = { missing: false, permanent: false, tookMs, pausedMs };
  if (kind === 'away') return { ...none, class: 'dependency' } as const;
  if (kind === 'missing') return { ...none, class: 'dependency', missing: true } as const;
  if (kind === 'hopeless') return { ...none, class: 'defect', permanent: true } as const;
  return { ...none, class: kind } as const;
}

/** The life of a job as its row would keep it, and, separately, what happened to it. */
function live(steps: readonly Step[]) {
  let history: JobHistory = { tries: 0, crashes: 0, blockedBy: null, blockedMs: 0 };
  const happened: { kind: Kind; alone: boolean; delayMs: number; waitingMs: number }[] = [];
  let waitingSince: { readonly kind: Kind; ms: number } | undefined;
  for (const { kind, ...times } of steps) {
    const alone = needsQuarantine(history.crashes);
    if (kind === 'stopped') continue;
    const shownMs = times.tookMs + (kind === 'away' ? times.pausedMs : 0);
    waitingSince = waitingSince && { ...waitingSince, ms: waitingSince.ms + shownMs };
    if (waitingSince?.kind !== kind) waitingSince = kind === 'away' || kind === 'missing' ? { kind, ms: 0 } : undefined;
    const verdict = decideRetry(failedTry({ kind, ...times }), history, limits);
    const waitingMs = waitingSince?.ms ?? 0;
    happened.push({ kind, alone, delayMs: verdict.kind === 'retry' ? verdict.delayMs : 0, waitingMs });
    if (verdict.kind === 'failed') return { failedAt: happened.length, happened };
    const { counts } = verdict;
    if (waitingSince) waitingSince.ms += verdict.delayMs;
    const blocked = counts === 'dependency' || counts === 'missing';
    history = {
      tries: history.tries + (counts === 'defect' ? 1 : 0),
      crashes: history.crashes + (counts === 'crash' ? 1 : 0),
      blockedBy: blocked ? counts : null,
      blockedMs: verdict.blockedMs,
    };
  }
  return { failedAt: undefined, happened };
}

const anyMs = fc.oneof(fc.nat(10_000), fc.nat(600_000), fc.nat(DAY / 4));
const anyLife = fc.array(fc.record({ kind: fc.constantFrom(...kinds), pausedMs: anyMs, tookMs: anyMs }), {
  maxLength: 40,
});

function tries(kind: Kind, count: number, tookMs = 1): Step[] {
  return Array.from({ length: count }, () => ({ kind, pausedMs: 0, tookMs }));
}

describe('the decision about failed tries', () => {
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
            (kind === 'away' && waitingMs >= DAY) ||
            (kind === 'missing' && waitingMs >= 600_000);
          expect(due, `step ${index} of ${JSON.stringify(happened)}`).to.equal(failedAt === index + 1);
        });
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('the pauses between tries that end at once add up to the wait for a missing object', () => {
    const { happened, failedAt } = live(tries('missing', 100, 0));
    const pausedMs = happened.reduce((sum, { delayMs }) => sum + delayMs, 0);
    expect(failedAt).to.equal(happened.length);
    expect(pausedMs).to.be.within(600_000, 620_000);
  });

  it('a job that crashes only beside others runs alone from its third try on and never fails for it', () => {
    const { happened, failedAt } = live(tries('crash', 4));
    expect(happened.map(({ alone }) => alone)).to.deep.equal([false, false, true, true]);
    expect(failedAt).to.equal(4);
  });

  it('the delays of each kind grow, and stay between a second and a minute, or 20 s of what only waits', () => {
    const longest = { away: 20_000, missing: 20_000, defect: 60_000, crash: 60_000 };
    for (const kind of ['away', 'missing', 'defect', 'crash'] as const) {
      const { happened } = live(tries(kind, 20, 10_000));
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
