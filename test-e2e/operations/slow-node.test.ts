/**
 * A release under load whose node has half of its processors, as on a host that others keep busy: new pods that start must
 * not starve those that serve.
 */
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { restartAll, rollBack, upgradeTo } from '../harness/cluster/install.ts';
import { limitProcessors } from '../harness/cluster/node-processors.ts';
import { theCluster } from '../harness/shared-target.ts';
import { beginReleaseLoad, type ReleaseLoad } from './release-load.ts';

/** The deadline of one call between services, which a failed request would have met. */
const SLOWEST_MS = 3_000;

describe('a release on a node with half of its processors', function () {
  this.timeout(1_200_000);
  let load: ReleaseLoad;
  let lift: (() => void) | undefined;

  before(async function () {
    const target = await theCluster(this);
    load = await beginReleaseLoad(target, 'Slow node');
    lift = limitProcessors(0.5);
    if (lift === undefined) skipBecause(this, 'no node runs on this host, or its processors cannot be limited');
  });
  after(async () => {
    lift?.();
    await load?.end();
  });

  const holdsDuring = async (work: () => Promise<void>): Promise<void> => {
    const { failures, slowestMs } = await load.during(work);
    expect(failures).to.deep.equal([]);
    expect(slowestMs).to.be.below(SLOWEST_MS);
  };

  it('every component is restarted without a failed or a slow request', () => holdsDuring(restartAll));

  it('a release is upgraded and rolled back without a failed or a slow request', async function () {
    const next = process.env['VDS_IMAGE_NEXT_TAG'];
    if (next === undefined) return skipBecause(this, 'VDS_IMAGE_NEXT_TAG names no second set of images');
    await holdsDuring(() => upgradeTo(next));
    await holdsDuring(rollBack);
  });

  it('every video submitted in the meantime becomes ready', async () => {
    lift?.();
    const records = await load.flow.end(600_000);
    expect(new Set(records.map(({ status }) => status))).to.deep.equal(new Set(['ready']));
  });
});
