import { createHash, X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { newInstallation, productSecrets, type Secrets } from '../secrets/release-secrets.ts';
import { tlsSecrets } from '../secrets/tls-secrets.ts';
import { rowOf, serviceNames, servesRpc } from '../services.ts';

function made(prefix = ''): Secrets {
  return productSecrets('vds', newInstallation(prefix));
}

describe('the Secrets of a release', () => {
  it('the Secrets of a release contain the digest of each caller’s token in its callees’ RPC_CALLERS', () => {
    const secrets = made();
    for (const service of serviceNames) {
      const token = secrets.get(`vds-${service}`)?.['RPC_TOKEN'] ?? '';
      const entry = `${service}=${createHash('sha256').update(token).digest('hex')}`;
      for (const peer of rowOf(service).peers)
        expect(secrets.get(`vds-${peer}`)?.['RPC_CALLERS']?.split(',')).to.include(entry);
    }
  });
  it('the Secrets of a release admit the operator to every service with RPC, and the platform’s apps to those that serve them', () => {
    const secrets = made();
    const entryOf = (name: string, key: string): string =>
      `${name}=${createHash('sha256')
        .update(secrets.get(`vds-${name}`)?.[key] ?? '')
        .digest('hex')}`;
    const callees = (entry: string): string[] =>
      serviceNames.filter((service) => secrets.get(`vds-${service}`)?.['RPC_CALLERS']?.split(',').includes(entry));
    const served = ['auth', 'catalog', 'captions', 'metadata', 'indexer'];
    expect(callees(entryOf('apps', 'APPS_TOKEN'))).to.deep.equal(served);
    expect(callees(entryOf('vdsctl', 'VDSCTL_TOKEN'))).to.deep.equal(serviceNames.filter(servesRpc));
  });
  it('the Secrets of a release name its S3 users by its prefix', () => {
    expect(made('vod-eu').get('vds-ingest')?.['S3_ACCESS_KEY']).to.equal('vod-eu-ingest');
  });
  it('the certificates of a release are for every name of its Services, and its apps have one', async () => {
    const secrets = await tlsSecrets('vds', { namespace: 'video', clusterDomain: 'corp.example' });
    const { subjectAltName = '' } = new X509Certificate(secrets.get('vds-auth-tls')?.['tls.crt'] ?? '');
    const names = ['', '.video', '.video.svc', '.video.svc.corp.example'].map((rest) => `DNS:vds-catalog${rest}`);
    expect(subjectAltName.split(', ')).to.include.members(names);
    expect([...secrets.keys()]).to.include.members(['vds-apps-tls', 'vds-vdsctl-tls']);
  });
  it('the Secrets of a release are new every time, and need no quoting in the configuration of NATS', () => {
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
