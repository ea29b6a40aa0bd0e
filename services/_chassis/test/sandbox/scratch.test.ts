import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { sweepScratch, withScratch } from '../../src/sandbox/scratch.ts';

describe('scratch folders', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'scratch-test-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('a scratch folder exists while its work runs, even if the work throws', async () => {
    const found = await withScratch(root, 'scales', async (scratch) => {
      writeFileSync(join(scratch, 'file'), 'x');
      return readdirSync(root);
    });
    expect(found).to.have.lengthOf(1);
    const failed = withScratch(root, 'scales', () => Promise.reject(new Error('no')));
    expect(await failed.catch((error: Error) => error.message)).to.equal('no');
    expect(readdirSync(root)).to.deep.equal([]);
  });

  it('folders of ended processes of this service only are removed', async () => {
    const dead = spawnSync('true').pid;
    const kept = [`vds-scales-1-living`, `vds-other-${dead}-x`, 'something-else', 'vds-scales-notes'];
    for (const name of [...kept, `vds-scales-${dead}-x`, `vds-scales-${process.pid}-predecessor`])
      mkdirSync(join(root, name));
    await sweepScratch(root, 'scales');
    expect(readdirSync(root)).to.have.members(kept);
  });
});
