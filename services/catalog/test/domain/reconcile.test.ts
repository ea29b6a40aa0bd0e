/** Findings of a reconciliation between catalog and the owners, and their repairs. */
import { expect } from 'chai';
import fc from 'fast-check';
import { situationOf } from '../../src/domain/commands.ts';
import type { Plan } from '../../src/domain/plan.ts';
import {
  compareVideo,
  decideRepair,
  type Finding,
  type IndexReport,
  type Known,
  type OwnerReport,
} from '../../src/domain/reconcile.ts';
import { purgeOwners as owners, stageOwners } from '@vds/proto/stages';
import { stages as list, type StageStatus } from '../../src/domain/stages.ts';
import type { Video } from '../../src/domain/video.ts';
import { captionsAt, contextAt, epoch, later, newVideo, status } from './fixtures.ts';
import { play, sequence } from './play.ts';

const HOUR = 3_600_000;
const at = contextAt(later(HOUR));

function known(video: Partial<Video>, stages: readonly StageStatus[] = [], more: Partial<Known> = {}): Known {
  return { video: newVideo(video), stages, now: later(HOUR), unconfirmedPurges: [], ...more };
}

/** Reports of owners that agree with catalog. */
function agreeing({ video, stages }: Pick<Known, 'video' | 'stages'>): OwnerReport[] {
  const gone = video.state === 'deleted';
  return stageOwners.map((owner) => {
    const own = stages.filter(({ stage }) => list.find(({ name }) => name === stage)?.owner === owner);
    const rows = own.map(({ stage, attempt, revision, state }) => ({
      ...{ stage, attempt, revision },
      state: state === 'requested' || state === 'started' ? 'open' : state,
    }));
    const stateRevision = owner === 'captions' ? video.captionsRevision : 0;
    return {
      owner,
      tombstoned: gone,
      hasData: !gone,
      stages: gone ? [] : rows,
      missing: [],
      unreadable: [],
      stateRevision,
    };
  });
}

function indexOf({ state, version }: Video): IndexReport {
  return { found: true, live: state === 'ready', version };
}

function change(reports: readonly OwnerReport[], owner: string, more: Partial<OwnerReport>): OwnerReport[] {
  return reports.map((report) => (report.owner === owner ? { ...report, ...more } : report));
}

function done(stage: string, more: Partial<StageStatus> = {}): StageStatus {
  return status(stage, { state: 'completed', finishedAt: epoch, ...more });
}
const allDone = list.map(({ name }) => done(name, name === 'metadata' ? { inputsRevision: 1 } : {}));
const ready = known({ state: 'ready', playbackId: 'p', ladderKey: 'l', ...captionsAt(3) }, allDone);
function brief(findings: readonly Finding[]) {
  return findings.map(({ kind, owner, repair }) => [kind, owner, repair?.type]);
}

describe('a reconciliation', () => {
  it('owners that agree with catalog yield no finding, whatever happened to the video', () => {
    fc.assert(
      fc.property(sequence({ maxLength: 25 }), (steps) => {
        const { video, stages } = play(steps).at(-1)?.after ?? { video: newVideo(), stages: [] };
        // Closed stages belong to ended attempts: no owner is asked about them.
        const snapshot = known(
          video,
          stages.filter(({ state }) => state !== 'closed'),
        );
        const playable = { ...snapshot, video: { ...snapshot.video, ladderKey: video.ladderKey ?? 'l' } };
        expect(compareVideo(playable, { owners: agreeing(playable), index: indexOf(video) })).to.deep.equal([]);
      }),
    );
  });

  it('data of an unknown or a deleted video is purged at each owner that keeps it', () => {
    const keeping = agreeing(ready);
    const index = indexOf(ready.video);
    const everyOwner = owners.map((owner) => ['unknown_video', owner, 'purge']);
    expect(brief(compareVideo(undefined, { owners: keeping, index }))).to.have.deep.members(everyOwner);
    const deleted = known({ state: 'deleted' }, [], { unconfirmedPurges: ['captions', 'indexer'] });
    expect(brief(compareVideo(deleted, { owners: keeping, index }))).to.deep.equal([
      ['deleted_data', 'ingest', 'purge'],
      ['deleted_data', 'transcode', 'purge'],
      ['deleted_data', 'metadata', 'purge'],
    ]);
  });

  it('a video that two owners have permanently removed is deleted again, one owner decides nothing', () => {
    const one = change(agreeing(ready), 'ingest', { tombstoned: true });
    const two = change(one, 'transcode', { tombstoned: true });
    const index = indexOf(ready.video);
    expect(brief(compareVideo(ready, { owners: one, index }))).to.deep.equal([
      ['removed_elsewhere', 'ingest', undefined],
    ]);
    expect(brief(compareVideo(ready, { owners: two, index }))).to.deep.equal([
      ['removed_elsewhere', 'ingest, transcode', 'delete'],
    ]);
    const plan = decideRepair(ready, { type: 'delete' }, at) as Plan;
    expect(plan.video.state).to.equal('deleted');
  });

  it('an ended stage that catalog waits for is requested again, at the revision of its owner', () => {
    const open = known({}, [done('fetch'), done('inspect'), status('encode', { state: 'started' })]);
    const reports = agreeing(open).map((report) => ({
      ...report,
      stages: report.stages.map((row) => ({ ...row, state: 'completed' })),
    }));
    const index = indexOf(open.video);
    expect(brief(compareVideo(open, { owners: reports, index }))).to.deep.equal([
      ['result_lost', 'transcode', 'request'],
    ]);
    const newer = change(agreeing(ready), 'metadata', {
      stages: [{ stage: 'metadata', attempt: 1, revision: 2, state: 'completed' }],
    });
    const [finding] = compareVideo(ready, { owners: newer, index: indexOf(ready.video) });
    expect(finding).to.deep.include({ kind: 'newer_result', owner: 'metadata' });
    const repaired = decideRepair(ready, finding?.repair as never, at) as Plan;
    const metadata = repaired.stages.find(({ stage }) => stage === 'metadata');
    expect(metadata).to.include({ state: 'requested', revision: 2 });
    expect(repaired.video.state).to.equal('ready');
  });

  it('a request that its owner does not know is a finding only once it is old', () => {
    const open = known({}, [status('fetch')]);
    const reports = change(agreeing(open), 'ingest', { stages: [], hasData: false });
    const index = indexOf(open.video);
    expect(brief(compareVideo(open, { owners: reports, index }))).to.deep.equal([
      ['request_lost', 'ingest', 'request'],
    ]);
    expect(compareVideo({ ...open, now: later(1_000) }, { owners: reports, index })).to.deep.equal([]);
  });

  for (const [what, video, intent] of [
    ['live', { state: 'ready' }, 'none'],
    ['archived', { state: 'archived' }, 'archive'],
    ['held', { state: 'archived', held: true }, 'none'],
  ] as const)
    it(`a ${what} video whose objects are gone is processed again as a new attempt, and keeps its intent`, () => {
      const snapshot = known({ ...ready.video, ...video }, allDone);
      const lost = change(agreeing(snapshot), 'transcode', {
        missing: [{ key: 'videos/v/1/piece-0.1-ab/v/240p/seg-00000.m4s', attempt: 1 }],
      });
      const findings = compareVideo(snapshot, { owners: lost, index: indexOf(snapshot.video) });
      expect(brief(findings)).to.deep.equal([['objects_missing', 'transcode', 'reprocess']]);
      const plan = decideRepair(snapshot, { type: 'reprocess', stage: 'encode' }, at) as Plan;
      // In one step: between two, a crash would leave a failed video.
      expect(plan.before).to.deep.equal(snapshot.video);
      expect(plan.video).to.include({ state: 'processing', attempt: 2, intent, playbackId: 'p' });
      expect(plan.video.gateClosesAt).to.deep.equal(at.now);
      expect(plan.effects.some(({ type }) => type === 'withdraw-clip')).to.equal(video.state === 'ready');
      expect(plan.requests.map(({ stage }) => stage)).to.deep.equal(['fetch']);
      // The retry's purge keeps the new attempt.
      const kept = plan.effects.flatMap((effect) => (effect.type === 'purge' ? [effect.purge.keepAttempt] : []));
      expect(new Set(kept)).to.deep.equal(new Set([2]));
    });

  for (const [owner, remade] of [
    ['transcode', 'reprocess'],
    ['captions', 'rerun'],
  ] as const)
    it(`a document of ${owner} that cannot be read leaves the video unchanged, unless its repair is requested`, () => {
      const key = 'videos/v/1/assemble.1-ab/document.json';
      const reports = (attempt: number) =>
        change(agreeing(ready), owner, { unreadable: [{ key, attempt, reason: '`version` must be 1' }] });
      const reported = { owners: reports(1), index: indexOf(ready.video) };
      const [finding, ...others] = compareVideo(ready, reported);
      expect(others).to.deep.equal([]);
      const detail = `${key} cannot be read: \`version\` must be 1`;
      expect(finding).to.deep.equal({ kind: 'document_unreadable', owner, detail, repair: null });
      const repaired = compareVideo(ready, reported, { repairUnreadable: true });
      expect(brief(repaired)).to.deep.equal([['document_unreadable', owner, remade]]);
      // Of an attempt that was replaced since.
      expect(compareVideo(ready, { ...reported, owners: reports(2) }, { repairUnreadable: true })).to.deep.equal([]);
    });

  it('a new attempt closes the running stages of the previous one', () => {
    const running = known({ ...ready.video }, [...allDone.slice(0, 4), status('metadata', { state: 'started' })]);
    const plan = decideRepair(running, { type: 'reprocess', stage: 'encode' }, at) as Plan;
    expect(plan.stages.find(({ stage }) => stage === 'metadata')).to.include({ attempt: 1, state: 'closed' });
  });

  for (const [state, revision] of [
    ['requested', 0],
    ['started', 1],
    ['completed', 1],
  ] as const)
    it(`an optional stage that is ${state} here and cancelled at its owner, where it never runs again, ends; the video stays live`, () => {
      const own = { stage: 'metadata', attempt: 1, revision, state: 'cancelled' };
      const snapshot = known({ ...ready.video }, [
        ...allDone.slice(0, 4),
        status('metadata', { state, revision: 1, inputsRevision: 1 }),
      ]);
      const owners = change(agreeing(snapshot), 'metadata', { stages: [own] });
      const index = indexOf(snapshot.video);
      const found = compareVideo(snapshot, { owners, index });
      expect(found.map(({ repair }) => repair)).to.deep.equal([{ type: 'end', stage: 'metadata' }]);
      const plan = decideRepair(snapshot, found[0]?.repair as never, at) as Plan;
      expect(plan.video).to.include({ state: 'ready', attempt: 1 });
      expect(plan.requests).to.deep.equal([]);
      // Nothing is left for the next reconciliation.
      const after = known(plan.video, plan.stages);
      expect(compareVideo(after, { owners, index: indexOf(plan.video) })).to.deep.equal([]);
    });

  it('objects of an earlier attempt, missing before the report was compared, are not a finding', () => {
    const missing = [{ key: 'videos/v/1/assemble.1-ab/ladder.json', attempt: 1 }];
    const stages = allDone.map((one) => ({ ...one, attempt: 2 }));
    const states = ['ready', 'archived', 'processing', 'failed'] as const;
    for (const state of states)
      for (const owner of ['ingest', 'transcode', 'captions']) {
        const snapshot = known({ ...ready.video, state, attempt: 2 }, stages);
        const reports = change(agreeing(snapshot), owner, { missing });
        expect(compareVideo(snapshot, { owners: reports, index: undefined }), `${owner} ${state}`).to.deep.equal([]);
      }
  });

  it('a failed video is not retried because its source is gone', () => {
    const failed = known({ state: 'failed' }, [done('fetch')]);
    const reports = change(agreeing(failed), 'ingest', {
      missing: [{ key: 'videos/v/1/source.1/manifest', attempt: 1 }],
    });
    expect(compareVideo(failed, { owners: reports, index: indexOf(failed.video) })).to.deep.equal([]);
  });

  it('tracks that are older at their owner are recreated, and then count whatever their number', () => {
    const older = change(agreeing(ready), 'captions', { stateRevision: 1 });
    const [finding] = compareVideo(ready, { owners: older, index: indexOf(ready.video) });
    expect(finding?.repair).to.deep.equal({ type: 'rerun', stage: 'captions', revision: 1 });
    const { video, requests } = decideRepair(ready, finding?.repair as never, at) as Plan;
    expect(video).to.deep.include({ state: 'ready', captionsRevision: 0, captions: ready.video.captions });
    expect(requests).to.deep.equal([{ stage: 'captions', revision: 1, inputsRevision: 0 }]);
  });

  it('a search document that is ahead of its video is overtaken by a version above both', () => {
    const index = { found: true, live: false, version: 40 };
    const [finding] = compareVideo(ready, { owners: agreeing(ready), index });
    expect(finding).to.deep.include({ kind: 'index_ahead', repair: { type: 'raise-version', version: 40 } });
    const { video } = decideRepair(ready, { type: 'raise-version', version: 40 }, at) as Plan;
    expect(video).to.deep.equal({ ...ready.video, version: 41 });
  });

  it('only lost media takes a live video out of service', () => {
    const report = fc.record({
      stage: fc.constantFrom('captions', 'metadata'),
      attempt: fc.constantFrom(1, 2),
      revision: fc.nat(3),
      state: fc.constantFrom('open', 'completed', 'failed', 'cancelled'),
    });
    const optional = fc.record({
      stage: fc.constantFrom('captions', 'metadata'),
      state: fc.constantFrom('requested', 'started', 'completed', 'failed'),
      revision: fc.nat(2),
    });
    const indexed = fc.record({ found: fc.boolean(), live: fc.boolean(), version: fc.nat(50) });
    fc.assert(
      fc.property(report, optional, fc.nat(5), indexed, (row, { stage, ...more }, stateRevision, index) => {
        const stages = allDone.map((one) => (one.stage === stage ? status(stage, more as Partial<StageStatus>) : one));
        const snapshot = { ...ready, stages };
        const owners = change(agreeing(snapshot), row.stage, { stages: [row], stateRevision });
        for (const { repair } of compareVideo(snapshot, { owners, index })) {
          if (!repair || repair.type === 'purge') continue;
          const outcome = decideRepair(snapshot, repair, at);
          if (outcome.kind === 'plan') expect(outcome.video.state, JSON.stringify(repair)).to.equal('ready');
        }
      }),
    );
  });

  const states = fc.constantFrom('open', 'completed', 'failed', 'cancelled');
  const object = { key: 'videos/v/1/x.1-ab/y', attempt: 1 };
  const report = fc.record({
    owner: fc.constantFrom(...stageOwners),
    tombstoned: fc.boolean(),
    hasData: fc.boolean(),
    stages: fc.array(
      fc.record({
        stage: fc.constantFrom(...list.map(({ name }) => name)),
        attempt: fc.constantFrom(1, 2),
        revision: fc.nat(3),
        state: states,
      }),
    ),
    missing: fc.array(fc.constant(object), { maxLength: 2 }),
    unreadable: fc.array(fc.constant({ ...object, reason: '`version` must be 1' }), { maxLength: 2 }),
    stateRevision: fc.nat(5),
  });
  const indexed = fc.record({ found: fc.boolean(), live: fc.boolean(), version: fc.nat(50) });

  it('documents that cannot be read change no repair, unless theirs is asked for', () => {
    const repairs = (reports: readonly OwnerReport[], index: IndexReport) =>
      compareVideo(ready, { owners: reports, index }).flatMap((one) => one.repair ?? []);
    fc.assert(
      fc.property(fc.array(report, { maxLength: 4 }), indexed, (reports, index) => {
        const readable = reports.map((one) => ({ ...one, unreadable: [] }));
        expect(repairs(reports, index)).to.deep.equal(repairs(readable, index));
      }),
    );
  });

  it('no repair brings a deleted video back', () => {
    const deleted = known({ state: 'deleted' }, allDone);
    fc.assert(
      fc.property(fc.array(report, { maxLength: 4 }), indexed, (reports, index) => {
        for (const { repair } of compareVideo(deleted, { owners: reports, index })) {
          expect(repair?.type).to.equal('purge');
        }
        for (const repair of compareVideo(ready, { owners: reports, index }).flatMap((one) => one.repair ?? [])) {
          if (repair.type === 'purge') continue;
          const outcome = decideRepair(deleted, repair, at);
          const after = outcome.kind === 'plan' ? outcome.video : deleted.video;
          expect(situationOf(after)).to.equal('deleted');
        }
      }),
    );
  });
});
