/** Which events show that an owner works on purged data. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isOfPurgedWork } from '../../src/domain/purges.ts';
import { newVideo } from './fixtures.ts';

const states = ['processing', 'ready', 'archived', 'failed', 'deleted'] as const;
const types = ['started', 'progressed', 'reached', 'completed', 'failed'] as const;

describe('an event of purged work', () => {
  it('purged work is of a deleted video, of an attempt before the current one, or of a failed one; tracks show nothing', () => {
    const videos = fc.record({ state: fc.constantFrom(...states), attempt: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(videos, fc.constantFrom(...types), fc.integer({ min: 1, max: 5 }), (changes, type, attempt) => {
        const video = newVideo(changes);
        const isCurrent = attempt === video.attempt && video.state !== 'failed';
        const isLater = attempt > video.attempt;
        const expected = video.state === 'deleted' || !(isCurrent || isLater);
        expect(isOfPurgedWork(video, { type, attempt })).to.equal(expected);
        expect(isOfPurgedWork(video, { type: 'tracks', attempt })).to.equal(false);
      }),
    );
  });
});
