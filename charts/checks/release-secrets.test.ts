import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import {
  adminSecrets,
  fullnameOf,
  newInstallation,
  productSecrets,
  type Secrets,
} from '@vds/deploy-tools/secrets/release-secrets';
import { canRender, render, secretsAsked } from './render.ts';
import { tlsSecrets } from '@vds/deploy-tools/secrets/tls-secrets';

function keysOf(secrets: Secrets): string[] {
  return [...secrets].flatMap(([name, values]) => Object.keys(values).map((key) => `${name}/${key}`)).toSorted();
}
function made(fullname = 'vds'): Secrets {
  return productSecrets(fullname, newInstallation());
}

describe('the Secrets of a release and the charts', function () {
  this.timeout(30_000);

  for (const release of ['vds', 'quality']) {
    it(`are those that chart vds asks for, key by key, in a release called ${release}`, async function () {
      if (!canRender()) skipBecause(this, 'helm is not on PATH');
      const args = ['--values', 'charts/vds/ci/required-values.yaml', '--set', 'operator.enabled=true'];
      expect(keysOf(made(fullnameOf(release)))).to.deep.equal(secretsAsked(await render(release, 'vds', args)));
    });
  }
  it('have a certificate for each pod that mounts one', async function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
    const args = ['--values', 'charts/vds/ci/required-values.yaml', '--set', 'operator.enabled=true,tls.enabled=true'];
    const asked = secretsAsked(await render('vds', 'vds', args)).filter((one) => one.endsWith('-tls/*'));
    const certificates = await tlsSecrets('vds', 'video');
    expect([...certificates.keys()].map((name) => `${name}/*`).toSorted()).to.deep.equal(asked);
  });
  it('hold every key that the servers of chart vds-devdeps ask for', async function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
    const known = new Set([...keysOf(made()), ...keysOf(adminSecrets('deps'))]);
    const asked = secretsAsked(await render('deps', 'vds-devdeps'));
    expect(asked).not.to.deep.equal([]);
    expect(asked.filter((one) => !known.has(one))).to.deep.equal([]);
  });
});
