/** `helm test`, as an operator runs it after installing a release. */
import { expect } from 'chai';
import { smallSample } from '@vds/testkit/media/make-samples';
import { command } from '../harness/cluster/command.ts';
import { productChart, releaseValues } from '../harness/cluster/install.ts';
import { apply, release } from '../harness/cluster/release.ts';
import type { Target } from '../harness/host/host.ts';
import { theCluster } from '../harness/shared-target.ts';

const KEY_SECRET = 'vds-e2e-release-test';
const inNamespace = ['--namespace', release.namespace];

function helmTest(): Promise<string> {
  return command('helm', ['test', release.name, ...inNamespace, '--logs', '--timeout', '15m']);
}

describe('helm test', function () {
  this.timeout(1_200_000);
  let target: Target;
  before(async function () {
    target = await theCluster(this);
  });

  const upgrade = (more: readonly string[]): Promise<string> => {
    const options = [...inNamespace, '--wait', '--timeout', '10m'];
    return command('helm', ['upgrade', release.name, productChart, ...releaseValues(), ...more, ...options]);
  };
  after(async () => {
    if (target) await upgrade([]);
  });

  it('helm test checks the endpoints, and reports the video check as skipped without a video', async () => {
    const output = await helmTest();
    expect(output)
      .to.match(/gateway/)
      .and.match(/skipped/);
  });

  it('helm test publishes and deletes a video when it has a key and a source', async () => {
    const partner = await target.newPartner('Release test');
    await apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: KEY_SECRET, namespace: release.namespace },
      stringData: { VDS_API_KEY: partner.key },
    });
    const sourceUrl = await target.serve(await smallSample());
    await upgrade(['--set-string', `tests.sourceUrl=${sourceUrl}`, '--set', `tests.keySecret.name=${KEY_SECRET}`]);
    const output = await helmTest();
    console.log(
      output
        .split('\n')
        .filter((line) => /ok|skipped|passed|failed|live|deleted/i.test(line))
        .map((line) => `      ${line}`)
        .join('\n'),
    );
    expect(output).to.contain('4 ok, 0 failed, 0 skipped');
    const { rows } = await target.site
      .adminPool('catalog')
      .query<{ state: string }>('SELECT state FROM videos ORDER BY created_at DESC LIMIT 1');
    expect(rows).to.deep.equal([{ state: 'deleted' }]);
  });
});
