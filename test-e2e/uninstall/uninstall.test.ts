/** Uninstalling: only what the charts' READMEs list remains. Runs last of the suites because of its name. */
import { expect } from 'chai';
import { kubectl, release } from '../harness/cluster/release.ts';
import { uninstall } from '../harness/cluster/remains.ts';
import { theCluster } from '../harness/shared-target.ts';

describe('an uninstalled release', function () {
  this.timeout(900_000);
  before(async function () {
    await theCluster(this);
  });

  for (const name of [release.name, release.servers])
    it(`an uninstalled ${name} leaves only what its README lists`, () => uninstall(name, release.namespace));

  it('an uninstalled release leaves the Secrets that no chart created', async () => {
    const secrets = await kubectl(['get', 'secrets', '--output', 'name']);
    expect(secrets).to.contain(`secret/${release.name}-catalog`).and.to.contain(`secret/${release.servers}-admin`);
    expect(secrets).not.to.contain('sh.helm.release');
  });
});
