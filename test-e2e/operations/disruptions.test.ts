/**
 * Disruptions of a running release under load, as operators cause them: no partner and no viewer notices, and no video
 * is lost.
 */
import { expect } from 'chai';
import { serviceNames } from '@vds/deploy-tools/services';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { restartAll, rollBack, upgradeTo } from '../harness/cluster/install.ts';
import { allPodsReady, kubectl, podsOf } from '../harness/cluster/release.ts';
import { restartServer } from '../harness/cluster/servers.ts';
import type { Target } from '../harness/host/host.ts';
import { theCluster } from '../harness/shared-target.ts';
import { mostRepeats } from './flow.ts';
import type { Tally } from './load.ts';
import { beginReleaseLoad, kindsOf, type ReleaseLoad } from './release-load.ts';

describe('a release under load', function () {
  this.timeout(1_200_000);
  let target: Target;
  let load: ReleaseLoad;

  before(async function () {
    target = await theCluster(this);
    load = await beginReleaseLoad(target, 'Disruptions');
  });
  after(() => load?.end());
  const during = (work: () => Promise<unknown>): Promise<Tally> => load.during(work);

  it('a release is upgraded to new images without a failed request', async function () {
    const next = process.env['VDS_IMAGE_NEXT_TAG'];
    if (next === undefined) return skipBecause(this, 'VDS_IMAGE_NEXT_TAG names no second set of images');
    expect((await during(() => upgradeTo(next))).failures).to.deep.equal([]);
  });

  it('a release is rolled back without a failed request', async function () {
    if (process.env['VDS_IMAGE_NEXT_TAG'] === undefined) return skipBecause(this, 'it was not upgraded');
    expect((await during(rollBack)).failures).to.deep.equal([]);
  });

  it('every component is restarted without a failed request', async () => {
    expect((await during(restartAll)).failures).to.deep.equal([]);
  });

  for (const grace of [60, 0]) {
    it(`one pod of each component is deleted ${grace > 0 ? 'gracefully' : 'with force'} without a failed request`, async () => {
      const tallied = await during(async () => {
        for (const name of serviceNames) {
          const [pod] = await podsOf(name);
          const how = grace > 0 ? [] : ['--grace-period', '0', '--force'];
          await kubectl(['delete', 'pod', pod?.metadata.name ?? '', '--wait=false', ...how]);
          await until(allPodsReady, { capMs: 300_000, everyMs: 1_000, what: `${name} to be back` });
        }
      });
      expect(tallied.failures).to.deep.equal([]);
    });
  }

  for (const server of ['nats', 'opensearch'] as const) {
    it(`${server} is restarted without a failed request`, async () => {
      expect((await during(() => restartServer(target.site, server))).failures).to.deep.equal([]);
    });
  }

  it('a release returns only its documented 500 while Postgres is down', async () => {
    const tallied = await during(() => restartServer(target.site, 'postgres'));
    const documented = ['GET 500', 'POST 500', 'POST of nothing 500'];
    expect(kindsOf(tallied).filter((one) => !documented.includes(one))).to.deep.equal([]);
  });

  it('after all disruptions no video is lost, and at most one piece of each was encoded twice', async () => {
    const records = await load.flow.end(600_000);
    const ends = new Map<string, number>();
    for (const { status } of records) ends.set(status, (ends.get(status) ?? 0) + 1);
    const repeats = await mostRepeats(target, load.flow.ids);
    console.log(`      ${load.flow.ids.length} videos: ${[...ends].map(([end, n]) => `${n} ${end}`).join(', ')}`);
    expect([...ends.keys()]).to.deep.equal(['ready']);
    expect(repeats?.pieces).to.be.at.most(1);
    expect(repeats?.job).to.be.at.most(1);
  });
});
