/** A video's documents in use, in each of its states. */
import { expect } from 'chai';
import fc from 'fast-check';
import { keysInUse, nothingInUse } from '../../src/domain/keys-in-use.ts';
import { contextAt, epoch, later, newVideo, status } from './fixtures.ts';
import { decideCommand } from '../../src/domain/plan.ts';
import type { Track } from '../../src/domain/video.ts';
import { play, sequence } from './play.ts';

const done = { state: 'completed', finishedAt: epoch } as const;
const fetched = status('fetch', { ...done, outputs: { sourceKey: 'source' } });
const encoded = status('encode', { ...done, outputs: { ladderKey: 'ladder' } });
const english: Track = {
  ...{ language: 'en', kind: 'captions', status: 'ready', reason: null, name: 'English', path: [] },
  ...{ playlistKey: 'en.m3u8', textKey: 'en.json' },
};
const tracks = { captions: [english, { ...english, status: 'failed' }], transcriptKey: 'en.json' } as const;
const captionKeys = ['en.m3u8', 'en.json'];

describe('what is in use of a video', () => {
  it('a source is in use until it is encoded, and its outputs as soon as they are known', () => {
    const video = newVideo({ state: 'processing' });
    expect(keysInUse(video, [])).to.deep.equal(nothingInUse);
    expect(keysInUse(video, [fetched])).to.deep.equal({ ...nothingInUse, sourceKey: 'source' });
    const running = status('encode', { state: 'started' });
    expect(keysInUse({ ...video, ...tracks }, [fetched, running])).to.deep.equal({
      ...{ sourceKey: 'source', ladderKey: '', captionKeys },
    });
    expect(keysInUse(video, [fetched, encoded])).to.deep.equal({ ...nothingInUse, ladderKey: 'ladder' });
  });

  it('a finished video needs its ladder and its tracks, and no source', () => {
    for (const state of ['ready', 'archived'] as const) {
      const video = newVideo({ state, ladderKey: 'ladder', ...tracks });
      expect(keysInUse(video, [fetched, encoded])).to.deep.equal({ sourceKey: '', ladderKey: 'ladder', captionKeys });
    }
  });

  it('a failed or deleted video has nothing in use, whatever its history, nor has the attempt before a retry', () => {
    fc.assert(
      fc.property(sequence({ maxLength: 25 }), (steps) => {
        const { video, stages } = play(steps).at(-1)?.after ?? { video: newVideo(), stages: [] };
        const isOver = video.state === 'failed' || video.state === 'deleted';
        if (isOver) expect(keysInUse(video, stages)).to.deep.equal(nothingInUse);
        if (video.state !== 'failed') return;
        const retried = decideCommand({ video, stages }, { type: 'retry' }, contextAt(later(1)));
        if (retried.kind === 'plan') expect(keysInUse(retried.video, retried.stages)).to.deep.equal(nothingInUse);
      }),
    );
  });
});
