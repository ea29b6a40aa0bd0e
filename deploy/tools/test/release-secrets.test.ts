import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { newInstallation, productSecrets, type Secrets } from '../secrets/release-secrets.ts';
import { rowOf, serviceNames } from '../services.ts';

function made(): Secrets {
  return productSecrets('vds', newInstallation());
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
