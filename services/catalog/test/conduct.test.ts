/** Conducting: which stages are asked for when, what the video waits for, and what time alone does. */
import { expect } from 'chai';
import { conduct } from '../src/domain/conduct.ts';
import { decideFact, decideTime, type Fact } from '../src/domain/facts.ts';
import type { Plan, Snapshot } from '../src/domain/plan.ts';
import { outputsOf, overallProgress, stages, type Stage, type StageStatus } from '../src/domain/stages.ts';
import { around, later, newVideo, status } from './support.ts';

const minute = 60_000;
/** The house as it will be: captions and metadata enter as rows. */
const share = (part: number) => (durationMs: number | null) => part * Math.max(2 * minute, (durationMs ?? 0) / 4);
const longer: readonly Stage[] = [
  ...stages,
  {
    name: 'captions',
    owner: 'captions',
    needs: [{ stage: 'encode', reached: 'audio' }],
    blocksReady: false,
    deadlineMs: () => 60 * minute,
    awaitedMs: share(0.75),
    weight: 0,
  },
  {
    name: 'metadata',
    owner: 'metadata',
    needs: [
      { stage: 'encode', reached: 'completed' },
      { stage: 'captions', reached: 'settled' },
    ],
    blocksReady: false,
    deadlineMs: () => 60 * minute,
    awaitedMs: share(1),
    weight: 0,
  },
];

const done = (stage: string, at = later(0), more: Partial<StageStatus> = {}): StageStatus =>
  status(stage, { state: 'completed', finishedAt: at, progress: 100, ...more });
const fact = (stage: string, type: 'started' | 'completed', attempt = 1): Fact =>
  ({ videoId: newVideo().id, attempt, stage, type, outputs: {} }) as Fact;
const plan = (decision: { kind: string }): Plan => {
  expect(decision.kind).to.equal('plan');
  return decision as Plan;
};

describe('conducting', () => {
  it('asks for one stage after the other, each once', () => {
    expect(conduct([], null, later(0)).requests).to.deep.equal(['fetch']);
    expect(conduct([status('fetch', { state: 'started' })], null, later(0)).requests).to.deep.equal([]);
    expect(conduct([done('fetch')], null, later(0)).requests).to.deep.equal(['inspect']);
    expect(conduct([done('fetch'), done('inspect')], null, later(0)).requests).to.deep.equal(['encode']);
    expect(conduct([done('fetch'), done('inspect'), done('encode')], null, later(0))).to.deep.equal({
      requests: [],
      whole: true,
      awaitedUntil: null,
    });
  });

  it('lets captions begin with the audio rendition, while pictures are still being encoded', () => {
    const encoding = status('encode', { state: 'started', reached: ['audio'] });
    expect(conduct([done('fetch'), done('inspect'), encoding], 1, later(0), longer).requests).to.deep.equal([
      'captions',
    ]);
  });

  it('awaits what does not block for its time after the ladder, and no longer', () => {
    const whole = [done('fetch'), done('inspect'), done('encode', later(0), { reached: ['audio'] })];
    const running = [...whole, status('captions', { state: 'started' })];
    expect(conduct(running, minute, later(minute), longer)).to.deep.include({
      whole: false,
      awaitedUntil: later(1.5 * minute),
    });
    const late = conduct(running, minute, later(1.5 * minute), longer);
    expect(late).to.deep.equal({ requests: ['metadata'], whole: false, awaitedUntil: later(2 * minute) });
    expect(conduct(running, minute, later(2 * minute), longer).whole).to.equal(true);
    const settled = [...whole, done('captions'), done('metadata')];
    expect(conduct(settled, minute, later(1), longer).whole).to.equal(true);
  });

  it('completes the video when the awaited time is over, and attaches what comes later without a new state', () => {
    const stagesNow = [
      done('fetch'),
      done('inspect'),
      done('encode', later(0), { reached: ['audio'], outputs: { ladderKey: 'l', thumbnailKey: 't', durationMs: 5 } }),
      status('captions', { state: 'started', dueAt: later(60 * minute) }),
      status('metadata', { state: 'started', dueAt: later(60 * minute) }),
    ];
    const snapshot: Snapshot = { video: newVideo({ dueAt: later(2 * minute) }), stages: stagesNow };
    const ready = plan(decideTime(snapshot, around(later(2 * minute), { list: longer })));
    expect(ready.video.state).to.equal('ready');
    const after: Snapshot = { video: ready.video, stages: ready.stages };
    const attached = plan(
      decideFact(after, fact('captions', 'completed'), around(later(3 * minute), { list: longer })),
    );
    expect(attached.video).to.include({ state: 'ready', version: ready.video.version + 1 });
    expect(attached.video.updatedAt).to.deep.equal(ready.video.updatedAt);
    const failed: Fact = { ...fact('metadata', 'started'), type: 'failed', code: 'internal_error', details: {} };
    expect(plan(decideFact(after, failed, around(later(4 * minute), { list: longer }))).video.state).to.equal('ready');
  });

  it('takes a completed fact before its started one, and ignores the late one', () => {
    const first: Snapshot = { video: newVideo(), stages: [status('fetch')] };
    const completed = plan(decideFact(first, fact('fetch', 'completed'), around(later(5))));
    expect(completed.requests).to.deep.equal(['inspect']);
    expect(completed.stages[0]).to.deep.include({ state: 'completed', startedAt: later(5), dueAt: null });
    const after: Snapshot = { video: completed.video, stages: completed.stages };
    expect(decideFact(after, fact('fetch', 'started'), around(later(6))).kind).to.equal('nothing');
    expect(decideFact(after, fact('fetch', 'completed'), around(later(7))).kind).to.equal('nothing');
  });

  it('ignores facts of an older attempt', () => {
    const snapshot: Snapshot = { video: newVideo({ attempt: 2 }), stages: [status('fetch', { attempt: 2 })] };
    expect(decideFact(snapshot, fact('fetch', 'completed', 1), around(later(5))).kind).to.equal('nothing');
  });

  for (const [stage, durationMs, ms] of [
    ['fetch', null, 120 * minute],
    ['inspect', null, 15 * minute],
    ['encode', minute, 75 * minute],
    ['encode', 60 * minute, 495 * minute],
  ] as const) {
    it(`gives ${stage} of ${durationMs ?? 'an unknown'} ms ${ms / minute} minutes from its start`, () => {
      const snapshot: Snapshot = { video: newVideo({ durationMs }), stages: [status(stage)] };
      const mark = decideFact(snapshot, fact(stage, 'started'), around(later(1_000)));
      if (mark.kind !== 'mark') throw new Error(mark.kind);
      expect(mark.status.dueAt).to.deep.equal(later(1_000 + ms));
      const started: Snapshot = { ...snapshot, stages: [mark.status] };
      expect(decideTime(started, around(later(999 + ms))).kind).to.equal('nothing');
      const late = plan(decideTime(started, around(later(1_000 + ms))));
      expect(late.video).to.deep.include({ state: 'failed', failure: { code: 'internal_error', stage, details: {} } });
    });
  }

  it('never fails a stage that nobody has begun: unclaimed work is the operator’s backlog', () => {
    const snapshot: Snapshot = { video: newVideo(), stages: [status('fetch')] };
    expect(decideTime(snapshot, around(later(365 * 86_400_000))).kind).to.equal('nothing');
  });

  it('believes the encoder’s duration, in whatever order the stages were read', () => {
    const made = [
      done('encode', later(2), { outputs: { durationMs: 2 } }),
      done('inspect', later(1), { outputs: { durationMs: 1 } }),
    ];
    expect(outputsOf(made).durationMs).to.equal(2);
    expect(outputsOf(made.toReversed()).durationMs).to.equal(2);
  });

  it('counts progress from 0 to 100, and 100 only when nothing is left', () => {
    expect(overallProgress([])).to.equal(0);
    expect(overallProgress([status('fetch', { state: 'started', progress: 50 })])).to.equal(7);
    expect(overallProgress([done('fetch'), done('inspect'), status('encode', { progress: 100 })])).to.equal(99);
    expect(overallProgress([done('fetch'), done('inspect'), done('encode')])).to.equal(100);
  });
});
