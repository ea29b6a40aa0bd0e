/** What the staff's verbs would come to, from words alone: nothing is written. */
import { expect } from 'chai';
import { previewActions } from '../src/domain/action-preview.ts';
import type { StageStatus } from '../src/domain/stage-status.ts';
import { stages as list } from '../src/domain/stages.ts';
import type { Video } from '../src/domain/video.ts';
import { around, later, newVideo, status } from './support.ts';

const media: Partial<Video> = { playbackId: 'p1', ladderKey: 'l', thumbnailKey: 't', durationMs: 25_000 };
function ended(changes: Partial<StageStatus> = {}): StageStatus[] {
  return list.map(({ name }) => status(name, { state: 'completed', finishedAt: later(1), ...changes }));
}

function ahead(changes: Partial<Video>, stages: readonly StageStatus[] = []) {
  return new Map(
    previewActions({ video: newVideo(changes), stages }, around(later(60_000))).map((one) => [one.verb, one]),
  );
}
/** What comes of each verb: the words, or `refused`. */
function said(changes: Partial<Video>, ...verbs: string[]): string[] {
  return verbs.map((verb) => {
    const one = ahead(changes, ended()).get(verb);
    return one?.refused === undefined ? (one?.becomes ?? 'unknown') : 'refused';
  });
}

describe('what the staff’s verbs would come to', () => {
  const verbs = ['retry', 'hold', 'release', 'remove'];

  it('is told for every verb and every stage', () => {
    const repeats = list.map(({ name }) => `repeat ${name}`);
    expect([...ahead({}).keys()]).to.deep.equal([...verbs, ...repeats, 'repeat']);
  });

  it('is what the lifecycle says', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    expect(said({ ...media, state: 'ready' }, ...verbs)).to.deep.equal([
      'refused',
      'archived, held',
      'ready',
      'deleted',
    ]);
    expect(said({ ...media, state: 'archived', held: true }, ...verbs)).to.deep.equal([
      'refused',
      'archived, held',
      'ready',
      'deleted, held',
    ]);
    expect(said({ state: 'failed', failure }, ...verbs)).to.deep.equal([
      'processing, attempt 2',
      'failed, held',
      'failed',
      'deleted',
    ]);
    expect(said({ state: 'deleted' }, ...verbs)).to.deep.equal(['refused', 'refused', 'refused', 'deleted']);
    expect(said({ intent: 'delete' }, ...verbs)).to.deep.equal([
      'refused',
      'refused',
      'refused',
      'processing, delete queued',
    ]);
  });

  it('has the sentence of a refusal, and the video as it is', () => {
    expect(ahead({ ...media, state: 'ready' }).get('retry')).to.deep.equal({
      verb: 'retry',
      refused: 'This video has not failed.',
      was: 'ready',
      becomes: 'ready',
    });
  });

  it('knows which stages can be asked for once more, and that there is no other', () => {
    const ready = { ...media, state: 'ready' } as const;
    const blocking = list.filter(({ blocksReady }) => blocksReady).map(({ name }) => `repeat ${name}`);
    const others = list.filter(({ blocksReady }) => !blocksReady).map(({ name }) => `repeat ${name}`);
    expect(new Set(said(ready, ...blocking, 'repeat'))).to.deep.equal(new Set(['refused']));
    expect(new Set(said(ready, ...others))).to.deep.equal(new Set(['ready']));
    const open = ahead(ready, ended({ state: 'started', finishedAt: null }));
    for (const verb of others) expect(open.get(verb)?.refused).to.include('has not ended yet');
    expect(ahead(ready).get('repeat')?.refused).to.include('can be asked for once more');
  });
});
