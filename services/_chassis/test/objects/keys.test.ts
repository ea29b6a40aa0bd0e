import { expect } from 'chai';
import fc from 'fast-check';
import { attemptOf, attemptPrefix, newJobFolder, tryOfFolder, videoOf } from '../../src/objects/keys.ts';

describe('object keys', () => {
  it('the video and the attempt of a key are read back, and a key of another shape has none', () => {
    const key = `${attemptPrefix('01h', 12)}${newJobFolder('source', 3)}/manifest`;
    expect([videoOf(key), attemptOf(key)]).to.deep.equal(['01h', 12]);
    expect([videoOf('sources/01h'), attemptOf('videos/01h/source')]).to.deep.equal([undefined, undefined]);
  });

  it('two folders of the same try differ, and both tell which try they belong to', () => {
    fc.assert(
      fc.property(fc.constantFrom('piece-0', 'translate-0-pt-BR', 'source'), fc.nat(), (job, fence) => {
        const [one, other] = [newJobFolder(job, fence), newJobFolder(job, fence)];
        expect(one).to.not.equal(other);
        expect([one, other].map(tryOfFolder)).to.deep.equal([`${job}.${fence}`, `${job}.${fence}`]);
      }),
    );
  });
});
