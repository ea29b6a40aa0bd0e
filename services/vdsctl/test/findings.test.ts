/** What `vdsctl reconcile` prints, and when it refuses to repair. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { summarize, suspicion } from '../src/domain/findings.ts';
import { EXIT } from '../src/inbound/vdsctl.ts';

function finding(kind: string, videoId: string, repaired = false, owner = 'transcode') {
  return { kind, videoId, repaired, owner, repair: 'purge at transcode' };
}

describe('the findings of a reconciliation', () => {
  it('findings are counted by kind, service and repair, with the first videos of each', () => {
    const many = ['a', 'b', 'c', 'd'].map((id, index) => finding('unknown_video', id, index === 0));
    expect(summarize([...many, finding('index_ahead', 'a', true, 'indexer')])).to.deep.equal([
      {
        kind: 'unknown_video',
        owner: 'transcode',
        repair: 'purge at transcode',
        count: 4,
        repaired: 1,
        first: ['a', 'b', 'c'],
      },
      { kind: 'index_ahead', owner: 'indexer', repair: 'purge at transcode', count: 1, repaired: 1, first: ['a'] },
    ]);
    expect(summarize([])).to.deep.equal([]);
  });

  for (const kind of ['unknown_video', 'objects_missing', 'document_unreadable', 'older_result'])
    it(`a repair of ${kind} is suspicious where it concerns most of the stored videos, however often each is found`, () => {
      const found = ['a', 'a', 'a', 'b'].map((id) => finding(kind, id));
      expect(suspicion(found, 4)).to.equal(null);
      expect(suspicion(found, 3)).to.match(/^2 of 3 videos .*: 4\)$/);
    });

  it('of many videos, more than a tenth are suspicious; more than ten of fewer than a hundred', () => {
    const unknown = (count: number) => Array.from({ length: count }, (_, n) => finding('unknown_video', `v${n}`));
    for (const [count, stored, isSuspicious] of [
      [100, 1_000, false],
      [101, 1_000, true],
      [10, 50, false],
      [11, 50, true],
    ] as const)
      expect(suspicion(unknown(count), stored) !== null, `${count} of ${stored}`).to.equal(isSuspicious);
  });

  it('what concerns no data, or has no repair, is never suspicious', () => {
    for (const kind of ['deleted_data', 'removed_elsewhere', 'result_lost', 'index_behind'])
      expect(suspicion([finding(kind, 'a')], 1), kind).to.equal(null);
    expect(suspicion([{ ...finding('objects_missing', 'a'), repair: '' }], 1)).to.equal(null);
  });
});

describe('the exit code of a reconciliation that finds differences', () => {
  it('the nightly Job of the chart fails at once, without a retry, by the exit code for differences alone', () => {
    const template = readFileSync(
      new URL('../../../charts/vds/templates/tools/reconcile.yaml', import.meta.url),
      'utf8',
    );
    expect(template).to.include(`onExitCodes: { containerName: vdsctl, operator: In, values: [${EXIT.differs}] }`);
    expect(Object.values(EXIT).filter((code) => code === EXIT.differs)).to.have.length(1);
  });
});
