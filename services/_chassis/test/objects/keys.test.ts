import { expect } from 'chai';
import { attemptOf, attemptPrefix } from '../../src/objects/keys.ts';

describe('object keys', () => {
  it('the attempt of an object is read from its key', () => {
    expect(attemptOf(`${attemptPrefix('01h', 12)}source.3/original`)).to.equal(12);
    expect(attemptOf('videos/01h/source')).to.equal(undefined);
  });
});
