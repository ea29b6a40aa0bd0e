/** The preview of the operator's actions, without a database. */
import { expect } from 'chai';
import { previewActions } from '../../src/domain/operator-actions.ts';
import { stages as list, type StageStatus } from '../../src/domain/stages.ts';
import type { Video } from '../../src/domain/video.ts';
import { contextAt, later, newVideo, status } from './fixtures.ts';

const media: Partial<Video> = { playbackId: 'p1', ladderKey: 'l', thumbnailKey: 't', durationMs: 25_000 };
function ended(changes: Partial<StageStatus> = {}): StageStatus[] {
  return list.map(({ name }) => status(name, { state: 'completed', finishedAt: later(1), ...changes }));
}

function previews(changes: Partial<Video>, stages: readonly StageStatus[] = []) {
  return new Map(
    previewActions({ video: newVideo(changes), stages }, contextAt(later(60_000))).map((one) => [one.action, one]),
  );
}
/** What each action would lead to: a state, or `rejected`. */
function outcomes(changes: Partial<Video>, ...actions: string[]): string[] {
  return actions.map((action) => {
    const one = previews(changes, ended()).get(action);
    return one?.rejection === undefined ? (one?.becomes ?? 'unknown') : 'rejected';
  });
}

describe('the preview of the operator’s actions', () => {
  const commands = ['retry', 'hold', 'release', 'remove'];

  it('the preview lists every command of the operator and a rerun of every stage', () => {
    const reruns = list.map(({ name }) => `rerun ${name}`);
    expect([...previews({}).keys()]).to.deep.equal([...commands, ...reruns, 'rerun']);
  });

  it('the preview of each command equals the decision of the lifecycle’s table', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    expect(outcomes({ ...media, state: 'ready' }, ...commands)).to.deep.equal([
      'rejected',
      'archived, held',
      'ready',
      'deleted',
    ]);
    expect(outcomes({ ...media, state: 'archived', held: true }, ...commands)).to.deep.equal([
      'rejected',
      'archived, held',
      'ready',
      'deleted, held',
    ]);
    expect(outcomes({ state: 'failed', failure }, ...commands)).to.deep.equal([
      'processing, attempt 2',
      'failed, held',
      'failed',
      'deleted',
    ]);
    expect(outcomes({ state: 'deleted' }, ...commands)).to.deep.equal(['rejected', 'rejected', 'rejected', 'deleted']);
    expect(outcomes({ intent: 'delete' }, ...commands)).to.deep.equal([
      'rejected',
      'rejected',
      'rejected',
      'processing, delete queued',
    ]);
  });

  it('the preview of a rejected action has the rejection’s message and leaves the state unchanged', () => {
    expect(previews({ ...media, state: 'ready' }).get('retry')).to.deep.equal({
      action: 'retry',
      rejection: 'This video has not failed.',
      was: 'ready',
      becomes: 'ready',
    });
  });

  it('only ended stages that do not block `ready` can be rerun, and no unknown stage', () => {
    const ready = { ...media, state: 'ready' } as const;
    const blocking = list.filter(({ blocksReady }) => blocksReady).map(({ name }) => `rerun ${name}`);
    const others = list.filter(({ blocksReady }) => !blocksReady).map(({ name }) => `rerun ${name}`);
    expect(new Set(outcomes(ready, ...blocking, 'rerun'))).to.deep.equal(new Set(['rejected']));
    expect(new Set(outcomes(ready, ...others))).to.deep.equal(new Set(['ready']));
    const open = previews(ready, ended({ state: 'started', finishedAt: null }));
    for (const action of others) expect(open.get(action)?.rejection).to.include('has not ended yet');
    expect(previews(ready).get('rerun')?.rejection).to.include('can be run again');
  });
});
