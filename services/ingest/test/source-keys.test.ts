import { classify } from '@vds/chassis/errors';
import { expect } from 'chai';
import { keysOfSource } from '../src/outbound/purge.ts';

const KEY = 'videos/v/1/source.1/manifest';

describe('the objects of a source in use', () => {
  const keysOf = (manifest: string) => keysOfSource({ getBytes: async () => Buffer.from(manifest) }, KEY);

  it('a source in use consists of its manifest and the parts that it names, so that each of them is looked for', async () => {
    const parts = [1, 2, 3].map((number) => `videos/v/1/source.1/part-${number}`);
    expect(await keysOf('{"bytes":25,"partBytes":10}')).to.deep.equal([KEY, ...parts]);
    expect(await keysOf('{"bytes":0,"partBytes":10}')).to.deep.equal([KEY]);
  });

  it('a manifest that cannot be read is reported as such, not as a lost source', async () => {
    const error = await keysOf('{"bytes":25}').catch((cause: unknown) => cause);
    expect(error).to.include({ code: 'INVALID_ARGUMENT' });
    expect(classify(error).missing).to.equal(false);
  });
});
