/** `helm test`, as an operator runs it after installing a release. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { makeSample } from '@vds/testkit/media/make-samples';
import { pairs } from '@vds/testkit/media/sample-list';
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

  it('asks the doors, and says that the part with a video is skipped where it was given none', async () => {
    const said = await helmTest();
    expect(said)
      .to.match(/gateway/)
      .and.match(/skipped/);
  });

  it('takes a video live and removes it again, where it was given one and a key', async () => {
    const partner = await target.newPartner('Release test');
    await apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: KEY_SECRET, namespace: release.namespace },
      stringData: { VDS_API_KEY: partner.key },
    });
    const file = await makeSample(pairs.find(({ height }) => height === 240) ?? pairs[0]!);
    await copyFile(file, join(target.media, basename(file)));
    const sourceUrl = target.origin.url(`/${basename(file)}`);
    await upgrade(['--set-string', `tests.sourceUrl=${sourceUrl}`, '--set', `tests.keySecret.name=${KEY_SECRET}`]);
    const said = await helmTest();
    console.log(
      said
        .split('\n')
        .filter((line) => /ok|skipped|passed|failed|live|deleted/i.test(line))
        .map((line) => `      ${line}`)
        .join('\n'),
    );
    expect(said).to.contain('4 ok, 0 failed, 0 skipped');
    const { rows } = await target.site
      .adminPool('catalog')
      .query<{ state: string }>('SELECT state FROM videos ORDER BY created_at DESC LIMIT 1');
    expect(rows).to.deep.equal([{ state: 'deleted' }]);
  });
});
