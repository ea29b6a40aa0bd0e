/** Whose fault it is that a name cannot be resolved. */
import { expect } from 'chai';
import { classify } from '@vds/chassis/errors';
import { startDnsServer } from '@vds/testkit/origin/dns-server';
import { freePort } from '@vds/testkit/servers/free-port';
import { faultKindOf } from '../src/domain/source-fault.ts';
import { createHostResolver } from '../src/outbound/resolve-host.ts';

describe('resolving a host', () => {
  const { signal } = new AbortController();

  it('while no DNS server can be contacted no source is at fault', async () => {
    const resolve = createHostResolver([`127.0.0.1:${await freePort()}`], 5_000);
    const error: unknown = await resolve('media.example', signal).catch((thrown: unknown) => thrown);
    expect([faultKindOf(error), classify(error).class]).to.deep.equal([undefined, 'dependency']);
  });

  it('a server that replies that it failed may have asked the host’s own, which is the fault of the source', async () => {
    const dns = await startDnsServer({ 'broken.example': 'servfail' });
    const resolve = createHostResolver([dns.address], 5_000);
    const error: unknown = await resolve('broken.example', signal).catch((thrown: unknown) => thrown);
    expect(faultKindOf(error)).to.equal('dns_failed');
    await dns.close();
  });
});
