import { isPublicAddress } from '@vds/chassis/net/public-address';
import { expect } from 'chai';
import fc from 'fast-check';
import { addressError } from '../src/domain/address-rules.ts';
import { runs } from '@vds/testkit/counts';

const policy = { isPublic: (address: string) => isPublicAddress(address), trusted: () => false };
function errorOf(text: string): string | undefined {
  const rule = addressError(text, policy);
  return rule && `source_url ${rule}`;
}
const octet = fc.integer({ min: 0, max: 255 });
const spellings: readonly ((octets: readonly number[]) => string)[] = [
  (octets) => octets.join('.'),
  (octets) => octets.map((byte) => `0x${byte.toString(16)}`).join('.'),
  (octets) => octets.map((byte) => `0${byte.toString(8)}`).join('.'),
  (octets) => String(octets.reduce((sum, byte) => sum * 256 + byte, 0)),
  (octets) => `0x${octets.reduce((sum, byte) => sum * 256 + byte, 0).toString(16)}`,
  (octets) => `${octets[0]}.${(octets[1] ?? 0) * 65_536 + (octets[2] ?? 0) * 256 + (octets[3] ?? 0)}`,
  (octets) => `${octets.join('.')}.`,
  (octets) => octets.map((byte) => [...String(byte)].map((digit) => `%3${digit}`).join('')).join('.'),
  (octets) => `[::ffff:${octets.join('.')}]`,
  (octets) => `[::${octets.join('.')}]`,
  (octets) => `[64:ff9b::${octets.join('.')}]`,
];

describe('the address rules', () => {
  it('addresses of public hosts pass, on any port and with any case of the scheme', () => {
    const good = [
      'https://media.example.com/final.mp4',
      'HTTPS://EXAMPLE.com',
      'https://example.com:8443/a?b=c#d',
      'https://example.com./x',
      'https://8.8.8.8/x',
      'https://[2606:4700::1111]:444/x',
      'https://xn--bcher-kva.example/',
      'https://local.example.com',
      'https://notlocal.example',
      'https://a_b.example.com',
      'https://example.com/a@b',
      'https://example.com/?x=@',
    ];
    for (const text of good) expect(errorOf(text), text).to.equal(undefined);
  });

  it('addresses with another scheme or without a host are rejected', () => {
    for (const text of [
      'http://example.com/',
      'ftp://example.com/',
      'https:example.com',
      'https:/example.com',
      'https:///example.com/x',
      'https://',
      'https://?x',
      'file:///etc/passwd',
      'example.com',
      '',
      'https://exa mple.com',
      'https://example.com:99999/',
      'https://[::1',
      'https://1.2.3.4.5/',
    ])
      expect(errorOf(text), text).to.be.a('string');
  });

  it('addresses that parsers read differently are rejected', () => {
    for (const text of [
      'https://example.com\\@evil.example/',
      'https://exam\tple.com/',
      ' https://example.com',
      'https://example.com/\n',
      'https://example.com/\u0000',
      'https://example.com/\u00a0',
      'https://exam\u00adple.com',
      'https:\\\\example.com',
    ])
      expect(errorOf(text), JSON.stringify(text)).to.be.a('string');
  });

  it('addresses with a user name or a password are rejected, even an empty one', () => {
    for (const text of [
      'https://user@example.com/',
      'https://user:secret@example.com/',
      'https://@example.com/',
      'https://:@example.com/',
    ])
      expect(errorOf(text), text).to.equal('source_url must not contain a user name or password');
  });

  it('addresses with names of an internal network are rejected', () => {
    for (const host of [
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      'intranet',
      'printer.local',
      'db.internal',
      'metadata.google.internal',
      'router.home.arpa',
      'home.arpa',
      'x.LOCAL.',
    ])
      expect(errorOf(`https://${host}/x`), host).to.equal('source_url must name a host on the public internet');
  });

  it('addresses with impossible names are rejected', () => {
    const long = 'a'.repeat(64);
    const name = `${'a.'.repeat(121)}example.com`;
    for (const host of ['a..example.com', '.example.com', 'example.com..', `${long}.com`, `b${name}`, `b${name}.`])
      expect(errorOf(`https://${host}/x`), host).to.be.a('string');
    for (const host of [`${long.slice(1)}.com`, name, `${name}.`])
      expect(errorOf(`https://${host}/x`), host).to.equal(undefined);
  });

  it('addresses with IP addresses that are not public are rejected in every notation', () => {
    const prefixes = fc.constantFrom(
      [10],
      [127],
      [169, 254],
      [192, 168],
      [172, 20],
      [100, 64],
      [0],
      [224],
      [198, 51, 100],
    );
    fc.assert(
      fc.property(prefixes, octet, octet, octet, fc.constantFrom(...spellings), (prefix, b, c, d, spell) => {
        const host = spell([...prefix, b, c, d].slice(0, 4));
        expect(errorOf(`https://${host}/x`), host).to.be.a('string');
      }),
      { numRuns: runs(400) },
    );
  });

  it('addresses with port 0 are rejected', () => {
    expect(errorOf('https://example.com:0/')).to.equal('source_url must have a port from 1 to 65535');
  });

  it('addresses trusted by the operator pass on exactly that host and port, and only over https without a user name', () => {
    const trusted = (host: string, port: number): boolean => `${host}:${port}` === 'localhost:8443';
    const check = (text: string): string | undefined => addressError(text, { ...policy, trusted });
    expect(check('https://localhost:8443/x')).to.equal(undefined);
    expect(check('https://LOCALHOST:8443/x')).to.equal(undefined);
    for (const text of [
      'https://localhost/x',
      'https://localhost:8444/x',
      'https://a.localhost:8443/x',
      'http://localhost:8443/x',
      'https://u@localhost:8443/x',
    ])
      expect(check(text), text).to.be.a('string');
  });

  it('the address rules never throw, and never accept anything but https', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ['https', 'http', 'ftp'] }),
      fc.string().map((text) => `https://${text}`),
    );
    fc.assert(
      fc.property(anything, (text) => {
        if (errorOf(text) === undefined) expect(new URL(text).protocol).to.equal('https:');
      }),
      { numRuns: runs(500) },
    );
  });
});
