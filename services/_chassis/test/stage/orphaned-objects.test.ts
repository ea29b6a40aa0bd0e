import { expect } from 'chai';
import fc from 'fast-check';
import { newJobFolder } from '../../src/objects/keys.ts';
import { isOrphaned } from '../../src/stage/orphaned-objects.ts';
import { ofPurgedAttempts, type PurgeScope } from '../../src/stage/purge.ts';

const jobs = fc.constantFrom('audio', 'cut', 'piece-0', 'piece-1', 'assemble', 'translate-0-pt-BR', 'a.b');
const tries = fc.record({ job: jobs, fence: fc.integer({ min: 1, max: 9 }) });
const names = fc.uniqueArray(jobs, { maxLength: 4 });

describe('which attempts a purge removes', () => {
  const keys = ['videos/v/1/a.1/x', 'videos/v/2/a.1/x', 'videos/v/3/a.1/x', 'videos/v/stray'];
  const removed = (scope: PurgeScope, keepAttempt: number): boolean[] =>
    keys.map((key) => ofPurgedAttempts({ scope, keepAttempt }, key));

  it('a purge of other attempts keeps the given attempt and a later retry, and one of the video keeps nothing', () => {
    expect(removed('PURGE_SCOPE_OTHER_ATTEMPTS', 2)).to.deep.equal([true, false, false, true]);
    expect(removed('PURGE_SCOPE_OTHER_ATTEMPTS', 0)).to.deep.equal([true, true, true, true]);
    expect(removed('PURGE_SCOPE_VIDEO', 0)).to.deep.equal([true, true, true, true]);
    expect(removed('PURGE_SCOPE_SOURCE', 2)).to.deep.equal([true, false, false, false]);
  });
});

describe('which files of an attempt are lost', () => {
  it('a file is lost exactly if its folder did not win and no try of its job may still write', () => {
    fc.assert(
      fc.property(tries, fc.array(tries, { maxLength: 5 }), names, fc.string(), (one, winning, unfinished, file) => {
        const folder = newJobFolder(one.job, one.fence);
        const winners = new Set(winning.map(({ job, fence }) => `${job}.${fence}`));
        const lost = isOrphaned(`${folder}/${file}`, winners, new Set(unfinished));
        const won = winning.some(({ job, fence }) => job === one.job && fence === one.fence);
        expect(lost).to.equal(!won && !unfinished.includes(one.job));
      }),
    );
  });

  it('another folder of the try that won is lost: the same try ran again on a restored database', () => {
    const [first, again] = [newJobFolder('audio', 1), newJobFolder('audio', 1)];
    expect([first, again].map((folder) => isOrphaned(`${folder}/a`, new Set([again]), new Set()))).to.deep.equal([
      true,
      false,
    ]);
  });

  it('files outside of any job’s folder are lost', () => {
    expect(isOrphaned('stray', new Set(['audio.1']), new Set(['stray']))).to.equal(true);
  });
});
