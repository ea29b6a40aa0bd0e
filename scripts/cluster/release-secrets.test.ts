import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { skipBecause } from '@vds/chassis/testing/skip';
import { rowOf, serviceNames } from '../house/services.ts';
import { adminSecrets, fullnameOf, newHousehold, productSecrets, type Secrets } from './release-secrets.ts';
import { canRender, render, secretsAsked } from './render.ts';
import { tlsSecrets } from './tls-secrets.ts';

function keysOf(secrets: Secrets): string[] {
  return [...secrets].flatMap(([name, values]) => Object.keys(values).map((key) => `${name}/${key}`)).toSorted();
}
function made(fullname = 'vds'): Secrets {
  return productSecrets(fullname, newHousehold());
}

describe('the Secrets of a release', function () {
  this.timeout(30_000);

  for (const release of ['vds', 'quality']) {
    it(`are those that chart vds asks for, key by key, in a release called ${release}`, async function () {
      if (!canRender()) skipBecause(this, 'helm is not on PATH');
      const args = ['--values', 'charts/vds/ci/required-values.yaml', '--set', 'toolbox.enabled=true'];
      expect(keysOf(made(fullnameOf(release)))).to.deep.equal(secretsAsked(await render(release, 'vds', args)));
    });
  }
  it('have a certificate for each pod that mounts one', async function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
    const args = ['--values', 'charts/vds/ci/required-values.yaml', '--set', 'toolbox.enabled=true,tls.enabled=true'];
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
  it('name each caller by the digest of the token that it shows', () => {
    const secrets = made();
    for (const service of serviceNames) {
      const token = secrets.get(`vds-${service}`)?.['RPC_TOKEN'] ?? '';
      const entry = `${service}=${createHash('sha256').update(token).digest('hex')}`;
      for (const peer of rowOf(service).peers)
        expect(secrets.get(`vds-${peer}`)?.['RPC_CALLERS']?.split(',')).to.include(entry);
    }
  });
  it('are others every time, and need no quotes in the configuration of NATS', () => {
    const values = (secrets: Secrets, pattern: RegExp): string[] =>
      [...secrets.values()].flatMap((one) =>
        Object.entries(one).flatMap(([key, value]) => (pattern.test(key) ? [value] : [])),
      );
    const password = /PASSWORD$|SECRET|TOKEN$|PEPPERS/;
    const first = values(made(), password);
    expect(new Set([...first, ...values(made(), password)]).size).to.equal(first.length * 2);
    for (const value of values(made(), /NATS_PASSWORD/)) expect(value).to.match(/^[A-Za-z0-9_-]{32}$/);
  });
});
