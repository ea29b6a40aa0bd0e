import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import {
  adminSecrets,
  fullnameOf,
  newInstallation,
  productSecrets,
  type Secrets,
} from '@vds/deploy-tools/secrets/release-secrets';
import { canRender, render, referencedSecrets } from './render.ts';
import { tlsSecrets } from '@vds/deploy-tools/secrets/tls-secrets';

function keysOf(secrets: Secrets): string[] {
  return [...secrets].flatMap(([name, values]) => Object.keys(values).map((key) => `${name}/${key}`)).toSorted();
}
function made(fullname = 'vds'): Secrets {
  return productSecrets(fullname, newInstallation());
}
/** The platform's apps are not part of the release: none of its pods mounts their keys. */
function ofPods(names: readonly string[]): string[] {
  return names.filter((name) => !/-apps(-tls)?\//.test(name));
}

describe('the Secrets of a release and the charts', function () {
  this.timeout(30_000);

  for (const release of ['vds', 'quality']) {
    it(`the Secrets of a release called ${release} are those that the chart vds references, key by key`, async function () {
      if (!canRender()) skipBecause(this, 'helm is not on PATH');
      const args = [
        '--values',
        'charts/vds/ci/required-values.yaml',
        '--set',
        'toolbox.enabled=true,tls.enabled=false',
      ];
      expect(ofPods(keysOf(made(fullnameOf(release))))).to.deep.equal(
        referencedSecrets(await render(release, 'vds', args)),
      );
    });
  }
  it('the Secrets of a release have a certificate for each pod that mounts one', async function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
    const args = ['--values', 'charts/vds/ci/required-values.yaml', '--set', 'toolbox.enabled=true'];
    const referenced = referencedSecrets(await render('vds', 'vds', args)).filter((one) => one.endsWith('-tls/*'));
    const certificates = await tlsSecrets('vds', { namespace: 'video', clusterDomain: 'cluster.local' });
    expect(ofPods([...certificates.keys()].map((name) => `${name}/*`).toSorted())).to.deep.equal(referenced);
  });
  it('the Secrets of a release hold every key that the servers of the chart vds-devdeps reference', async function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
    const known = new Set([...keysOf(made()), ...keysOf(adminSecrets('deps'))]);
    const referenced = referencedSecrets(await render('deps', 'vds-devdeps'));
    expect(referenced).not.to.deep.equal([]);
    expect(referenced.filter((one) => !known.has(one))).to.deep.equal([]);
  });
});
