/** Uninstalling: nothing stays behind but what the charts' READMEs say. The next suite installs everything anew. */
import { expect } from 'chai';
import { until } from '@vds/shared/testing/until';
import { command } from '../target/cluster/command.ts';
import { kubectl, release } from '../target/cluster/release.ts';
import { theCluster } from '../target/the-target.ts';

/** Of every namespaced kind that can be listed, but events: names of the objects that carry the release's label. */
const objectsOf = async (name: string): Promise<string[]> => {
  const kinds = await command('kubectl', ['api-resources', '--namespaced', '--verbs', 'list', '--output', 'name']);
  const asked = kinds
    .split('\n')
    .filter((kind) => kind !== '' && !kind.startsWith('events') && !kind.includes('metrics.k8s.io'));
  const selector = ['--selector', `app.kubernetes.io/instance=${name}`];
  const found = await kubectl(['get', asked.join(','), ...selector, '--output', 'name', '--ignore-not-found']);
  return found.split('\n').filter(Boolean).toSorted();
};

/** What the chart's README lists under "What uninstalling leaves behind", as far as a clean run makes it. */
const mayStay = /^pod\/vds-release-test$|^(networkpolicy\.networking\.k8s\.io|serviceaccount)\/vds-migrate$/;

describe('an uninstalled release', function () {
  this.timeout(900_000);
  before(async function () {
    await theCluster(this);
  });

  for (const name of [release.name, release.servers]) {
    it(`leaves nothing of ${name} but what its README says`, async () => {
      await command('helm', ['uninstall', name, '--namespace', release.namespace, '--wait', '--timeout', '10m']);
      const left = async (): Promise<string[]> => (await objectsOf(name)).filter((one) => !mayStay.test(one));
      await until(async () => (await left()).length === 0, {
        capMs: 180_000,
        everyMs: 1_000,
        what: `the end of ${name}`,
      }).catch(async () => expect(await left()).to.deep.equal([]));
    });
  }

  it('leaves the Secrets, which no chart made', async () => {
    const secrets = await kubectl(['get', 'secrets', '--output', 'name']);
    expect(secrets).to.contain(`secret/${release.name}-catalog`).and.to.contain(`secret/${release.servers}-admin`);
    expect(secrets).not.to.contain('sh.helm.release');
  });
});
