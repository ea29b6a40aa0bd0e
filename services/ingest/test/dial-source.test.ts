import { createServer } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { AppError } from '@vds/chassis/errors';
import { parseNat64Prefixes, parseNetworks, parsePinnedHosts } from '@vds/chassis/net/public-address';
import { createDialer, type Dial } from '../src/outbound/dial-source.ts';
import { createHostResolver } from '../src/outbound/resolve-host.ts';
import {
  createAuthority,
  type CertificateAuthority,
  type ServerCertificate,
} from '@vds/deploy-tools/secrets/certificates';
// After the authority, which loads the metadata that it needs.
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { startDnsServer, type DnsEntry, type DnsServer } from '@vds/testkit/origin/dns-server';
import { startSourceServer, type SourceServer } from './servers/source-server.ts';

// In 2000::/3 and unassigned (IANA IPv6 unicast assignments): public by every rule, but unreachable.
const UNASSIGNED = '2d00::1';
const HOST = 'media.example';

const rejected: readonly (readonly [string, readonly string[]])[] = [
  ['loopback', ['127.0.0.1']],
  ['another loopback', ['127.8.8.8']],
  ['the metadata address of clouds', ['169.254.169.254']],
  ['a platform address of a cloud', ['168.63.129.16']],
  ['10/8', ['10.1.2.3']],
  ['172.16/12', ['172.31.255.255']],
  ['192.168/16', ['192.168.0.1']],
  ['carrier-grade NAT', ['100.64.0.1']],
  ['this network', ['0.0.0.0']],
  ['benchmarking', ['198.18.0.1']],
  ['documentation', ['203.0.113.9']],
  ['multicast', ['224.0.0.1']],
  ['broadcast', ['255.255.255.255']],
  ['IPv6 loopback', ['::1']],
  ['the IPv6 unspecified address', ['::']],
  ['unique local', ['fd00::1']],
  ['link local', ['fe80::1']],
  ['site local', ['fec0::1']],
  ['IPv4-mapped', ['::ffff:127.0.0.1']],
  ['IPv4-mapped of a public address', ['::ffff:8.8.8.8']],
  ['6to4', ['2002:7f00:1::1']],
  ['Teredo', ['2001:0:7f00:1::1']],
  ['NAT64', ['64:ff9b::7f00:1']],
  ['local NAT64', ['64:ff9b:1::7f00:1']],
  ['NAT64 of 10/8', ['64:ff9b::10.1.2.3']],
  ['NAT64 of an address that the operator blocks', ['64:ff9b::198.97.38.7']],
  ['NAT64 of the metadata address of clouds', ['64:ff9b::169.254.169.254']],
  ['one NAT64 of a private address among public ones', ['8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b::192.168.0.1']],
  ['a private address below the operator’s NAT64 prefix', ['2001:db8:64::127.0.0.1']],
  ['a private address below a public NAT64 prefix', ['2a00:6464::a:102:300:0']],
  ['a NAT64 prefix that the operator blocks', ['2a00:64:1::8.8.8.8']],
  ['ISATAP', ['2a00::5efe:7f00:1']],
  ['global ISATAP', ['2a00::200:5efe:7f00:1']],
  ['IPv6 documentation', ['2001:db8::1']],
  ['the newer IPv6 documentation block', ['3fff::1']],
  ['IPv6 outside 2000::/3', ['4000::1']],
  ['one private among public ones', [UNASSIGNED, '8.8.8.8', '10.0.0.1']],
  ['one private IPv6 among public ones', ['8.8.8.8', UNASSIGNED, 'fd00::1']],
  ['an alias of loopback', ['=inside.example']],
  ['a block of the operator', ['198.97.38.7']],
];

const translated: readonly (readonly [string, string])[] = [
  ['the well-known prefix', '64:ff9b::45.0.0.1'],
  ['the operator’s prefix', '2001:db8:64::45.0.0.1'],
  ['a prefix of 64 bits', '2a00:6464::2d:0:100:0'],
];

/** A certificate that its own key has signed. */
async function selfSigned(host: string, more: { readonly notBefore?: Date } = {}): Promise<ServerCertificate> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
    notAfter: new Date(Date.now() + 30 * 86_400_000),
    ...more,
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
  };
}

describe('dialling a source', () => {
  let authority: CertificateAuthority;
  let server: SourceServer;
  let dns: DnsServer;
  let rebound: number;
  const names: Record<string, DnsEntry> = {
    'inside.example': ['127.0.0.1'],
    'nobody.example': [UNASSIGNED],
    'broken.example': 'servfail',
  };

  before(async () => {
    authority = await createAuthority();
    server = await startSourceServer(await authority.issue([HOST, 'alias.example', '127.0.0.1']));
    for (const [index, [, addresses]] of rejected.entries()) names[`refused-${index}.example`] = addresses;
    for (const [index, [, address]] of translated.entries()) names[`translated-${index}.example`] = [address];
    names['rebinding.example'] = (nth) => (nth === 0 ? [UNASSIGNED] : ['127.0.0.1']);
    names['silent.example'] = 'silent';
    names['empty.example'] = [];
    dns = await startDnsServer(names);
  });
  after(async () => {
    await server.close();
    await dns.close();
  });
  beforeEach(() => (rebound = server.connections()));

  const dialer = (
    pins: readonly string[] = [],
    more: { ca?: string; dnsMs?: number; connectMs?: number; tlsMs?: number } = {},
  ): Dial =>
    createDialer({
      resolve: createHostResolver([dns.address], more.dnsMs ?? 5_000),
      blocked: parseNetworks(['198.97.38.0/24', '2a00:64::/32']),
      nat64Prefixes: parseNat64Prefixes(['2001:db8:64::/96', '2a00:6464::/64', '2a00:64:1::/96']),
      pinned: parsePinnedHosts(pins),
      extraCa: more.ca ?? authority.caCertificate,
      connectMs: more.connectMs ?? 5_000,
      tlsMs: more.tlsMs ?? 5_000,
    });
  const pinTo = (port: number, host = HOST): string => `${host}:443=127.0.0.1:${port}`;
  const reasonOf = async (dial: Dial, url: string, signal = new AbortController().signal): Promise<unknown> =>
    dial(new URL(url), signal).then(
      (socket) => {
        socket.destroy();
        return 'dialled';
      },
      (error: { reason?: string; message: string }) => error.reason ?? error.message,
    );

  for (const [index, [what, addresses]] of rejected.entries())
    it(`a name that resolves to ${what} (${addresses.join(', ')}) is rejected and not dialled`, async () => {
      expect(await reasonOf(dialer(), `https://refused-${index}.example:${server.port}/`)).to.equal('address_blocked');
      expect(server.connections()).to.equal(rebound);
    });

  for (const literal of [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fd00::1]',
    '169.254.169.254',
    '10.0.0.1',
    '0',
  ])
    it(`the literal address ${literal} is rejected and not dialled`, async () => {
      expect(await reasonOf(dialer(), `https://${literal}:${server.port}/`)).to.equal('address_blocked');
      expect(server.connections()).to.equal(rebound);
    });

  for (const [index, [what, address]] of translated.entries())
    it(`a name that DNS64 resolves to a public address below ${what} (${address}) is dialled`, async () => {
      const reason = await reasonOf(dialer([], { connectMs: 500 }), `https://translated-${index}.example/`);
      expect(reason).to.be.oneOf(['connect_failed', 'connect_timeout']);
    });

  it('the dialled address is the one that was checked, whatever the name resolves to later', async () => {
    const dial = dialer([], { connectMs: 500 });
    const url = `https://rebinding.example:${server.port}/`;
    expect(await reasonOf(dial, url)).to.be.oneOf(['connect_failed', 'connect_timeout']);
    expect(dns.queries().filter((question) => question.startsWith('rebinding'))).to.have.members([
      'rebinding.example A',
      'rebinding.example AAAA',
    ]);
    expect(await reasonOf(dial, url)).to.equal('address_blocked');
    expect(server.connections()).to.equal(rebound);
  });

  it('a pinned host is dialled at its pinned address, with the host’s name in TLS', async () => {
    expect(await reasonOf(dialer([pinTo(server.port)]), `https://${HOST}/`)).to.equal('dialled');
    expect(server.names.at(-1)).to.equal(HOST);
    expect(dns.queries().join()).not.to.include(HOST);
  });

  it('a pin exempts exactly its host and port from the address check', async () => {
    const dial = dialer([`inside.example:444=127.0.0.1:${server.port}`]);
    expect(await reasonOf(dial, `https://inside.example/`)).to.equal('address_blocked');
    expect(await reasonOf(dial, `https://inside.example:${server.port}/`)).to.equal('address_blocked');
  });

  it('the certificate of a literal address is checked against that address', async () => {
    const url = `https://127.0.0.1:${server.port}/`;
    expect(await reasonOf(dialer([`127.0.0.1:${server.port}=127.0.0.1`]), url)).to.equal('dialled');
    const other = await startSourceServer(await authority.issue([HOST]));
    expect(await reasonOf(dialer([`127.0.0.1:${server.port}=127.0.0.1:${other.port}`]), url)).to.equal(
      'certificate_invalid',
    );
    await other.close();
  });

  it('a certificate that is not valid is a fault, whose details say in a word what is wrong with it', async () => {
    const stranger = await createAuthority();
    const own = await selfSigned(HOST);
    const leaf = await stranger.issue([HOST]);
    const cases = [
      ['certificate_expired', await authority.issue([HOST], -1)],
      ['certificate_of_another_name', await authority.issue(['other.example'])],
      ['certificate_self_signed', own],
      // As the host that forgot its intermediate certificate does, it shows nothing but its own.
      ['certificate_chain_incomplete', leaf],
      ['certificate_authority_unknown', { ...leaf, certificate: leaf.certificate + stranger.caCertificate }],
      ['certificate_not_yet_valid', await selfSigned(HOST, { notBefore: new Date(Date.now() + 86_400_000) })],
    ] as const;
    for (const [reason, certificate] of cases) {
      const host = await startSourceServer(certificate);
      const trusted = reason === 'certificate_not_yet_valid' ? { ca: certificate.certificate } : {};
      const dialled = dialer([pinTo(host.port)], trusted)(new URL(`https://${HOST}/`), new AbortController().signal);
      const error = await dialled.then(
        () => expect.fail(`dialled: ${reason}`),
        (fault: AppError) => fault,
      );
      expect({ fault: error.reason, details: error.details }).to.deep.equal({
        fault: 'certificate_invalid',
        details: { reason },
      });
      await host.close();
    }
  });

  it('an authority that the operator trusts for servers of his own is not trusted for partners’ hosts', async () => {
    const own = await createAuthority();
    const host = await startSourceServer(await own.issue([HOST]));
    const trustedBefore = getCACertificates('default');
    // As Node.js does with NODE_EXTRA_CA_CERTS.
    setDefaultCACertificates([...trustedBefore, own.caCertificate]);
    const reason = await reasonOf(dialer([pinTo(host.port)]), `https://${HOST}/`);
    setDefaultCACertificates(trustedBefore);
    await host.close();
    expect(reason).to.equal('certificate_invalid');
  });

  it('certificates are checked even where NODE_TLS_REJECT_UNAUTHORIZED=0 disables it for Node', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const reason = await reasonOf(dialer([pinTo(server.port, 'other.example')]), 'https://other.example/');
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    expect(reason).to.equal('certificate_invalid');
  });

  it('a name without addresses and a name server that fails or does not respond are different faults', async () => {
    expect(await reasonOf(dialer(), 'https://absent.example/')).to.equal('name_unknown');
    expect(await reasonOf(dialer(), 'https://empty.example/')).to.equal('name_unknown');
    expect(await reasonOf(dialer(), 'https://broken.example/')).to.equal('dns_failed');
    expect(await reasonOf(dialer([], { dnsMs: 200 }), 'https://silent.example/')).to.equal('dns_failed');
  });

  it('a refused connection, a host without TLS and an unfinished handshake are different faults', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').on('error', () => {})).listen(
      0,
      '127.0.0.1',
    );
    await Promise.all([once(mute, 'listening'), once(plain, 'listening')]);
    const [mutePort, plainPort] = [mute, plain].map((one) => (one.address() as AddressInfo).port) as [number, number];
    expect(await reasonOf(dialer([pinTo(1)]), `https://${HOST}/`)).to.equal('connect_failed');
    expect(await reasonOf(dialer([pinTo(plainPort)]), `https://${HOST}/`)).to.equal('tls_unsupported');
    expect(await reasonOf(dialer([pinTo(mutePort)], { tlsMs: 200 }), `https://${HOST}/`)).to.equal('tls_timeout');
    for (const one of [mute, plain]) one.close();
  });

  it('a host whose TLS is too old and a host that gives up the handshake are different faults', async () => {
    const { key, certificate } = await authority.issue([HOST]);
    const old = createTlsServer({ key, cert: certificate, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
    const fleeting = createServer((socket) => socket.once('data', () => socket.end()));
    old.on('tlsClientError', () => {});
    const port = async (one: typeof old | typeof fleeting): Promise<number> => {
      await once(one.listen(0, '127.0.0.1'), 'listening');
      return (one.address() as AddressInfo).port;
    };
    expect(await reasonOf(dialer([pinTo(await port(old))]), `https://${HOST}/`)).to.equal('tls_unsupported');
    expect(await reasonOf(dialer([pinTo(await port(fleeting))]), `https://${HOST}/`)).to.equal('tls_failed');
    for (const one of [old, fleeting]) one.close();
  });

  it('dialling stops with the signal’s reason when the signal aborts', async () => {
    const stop = new AbortController();
    const reason = reasonOf(dialer(), 'https://silent.example/', stop.signal);
    stop.abort(new Error('the lease is lost'));
    expect(await reason).to.equal('the lease is lost');
  });
});
