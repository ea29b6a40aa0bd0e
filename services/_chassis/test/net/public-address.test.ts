import { expect } from 'chai';
import fc from 'fast-check';
import {
  hostKey,
  isPublicAddress,
  parseNat64Prefixes,
  parseNetworks,
  parsePinnedHosts,
} from '../../src/net/public-address.ts';

const rejected = [
  '0.0.0.0', '0.1.2.3', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1',
  '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.7', '203.0.113.9',
  '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16', '192.31.196.1', '192.52.193.1', '192.175.48.1',
  '::', '::1', '::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1',
  '2002:808:808::1', '3fff::1', '4000::1', '5f00::1', 'fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1',
  'ff02::1', '2606:4700::5efe:808:808', '2606:4700::200:5efe:8.8.8.8', '2620:4f:8000::1',
]; // prettier-ignore
const accepted = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::5efe',
];

describe('public addresses', () => {
  for (const address of rejected)
    it(`${address} is not public`, () => expect(isPublicAddress(address)).to.equal(false));
  for (const address of accepted) it(`${address} is public`, () => expect(isPublicAddress(address)).to.equal(true));

  it('anything that is not an address is not public', () => {
    for (const text of ['', 'localhost', 'example.com', '8.8.8.8.8', '[::1]', '8.8.8.8/32'])
      expect(isPublicAddress(text), text).to.equal(false);
  });

  it('addresses that the operator blocks, by range or one by one, are not public', () => {
    const blocked = parseNetworks(['8.8.8.0/24', '1.1.1.1', '2606:4700::/32']);
    expect(isPublicAddress('8.8.8.8', blocked)).to.equal(false);
    expect(isPublicAddress('1.1.1.1', blocked)).to.equal(false);
    expect(isPublicAddress('1.1.1.2', blocked)).to.equal(true);
    expect(isPublicAddress('2606:4700::1', blocked)).to.equal(false);
    expect(isPublicAddress('2a00:1450::1', blocked)).to.equal(true);
  });

  it('an IPv6 address that embeds a private IPv4 address is not public', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(octet, octet, octet, fc.constantFrom('::ffff:', '::', '64:ff9b::'), (b, c, d, prefix) => {
        expect(isPublicAddress(`${prefix}10.${b}.${c}.${d}`)).to.equal(false);
      }),
    );
  });

  it('an address below a NAT64 prefix is as public as the IPv4 address in it, at every length of RFC 6052', () => {
    for (const [prefix, good, bad] of [
      ['64:ff9b::/96', '64:ff9b::8.8.8.8', '64:ff9b::10.0.0.1'],
      ['2001:db8::/32', '2001:db8:808:808::', '2001:db8:a00:1::'],
      ['2001:db8:100::/40', '2001:db8:108:808:8::', '2001:db8:10a:0:1::'],
      ['2001:db8:122::/48', '2001:db8:122:808:8:800::', '2001:db8:122:a00:0:100::'],
      ['2001:db8:122:300::/56', '2001:db8:122:308:8:808::', '2001:db8:122:30a:0:1::'],
      ['2001:db8:122:344::/64', '2001:db8:122:344:8:808:800::', '2001:db8:122:344:a:0:100::'],
    ] as const) {
      const prefixes = parseNat64Prefixes([prefix]);
      expect(isPublicAddress(good, [], prefixes), good).to.equal(true);
      expect(isPublicAddress(good, parseNetworks(['8.8.0.0/16']), prefixes), good).to.equal(false);
      expect(isPublicAddress(bad, [], prefixes), bad).to.equal(false);
    }
  });

  it('an address below several NAT64 prefixes is public only if it is public below each of them', () => {
    const prefixes = parseNat64Prefixes(['2a00:808::/32', '2a00:808:808:808::/96']);
    expect(isPublicAddress('2a00:808:808:808::8.8.8.8', [], prefixes)).to.equal(true);
    expect(isPublicAddress('2a00:808:808:808::10.0.0.1', [], prefixes)).to.equal(false);
  });

  it('the error names the invalid NAT64 prefix', () => {
    for (const prefix of ['10.0.0.0/8', '64:ff9b::/95', '64:ff9b::1', 'ten'])
      expect(() => parseNat64Prefixes(['64:ff9b::/96', prefix])).to.throw(`'${prefix}'`);
  });

  it('the error names the invalid range', () => {
    expect(() => parseNetworks(['10.0.0.0/8', 'ten'])).to.throw("'ten'");
  });
});

describe('pinned hosts', () => {
  it('a pin has an address and a port, which is the requested one by default', () => {
    const pins = parsePinnedHosts(['Media.Test:443=127.0.0.1:8443', 'b.test:8443=10.0.0.7', '[::1]:443=[::1]:9443']);
    expect(pins.get(hostKey('media.test', 443))).to.deep.equal({ address: '127.0.0.1', port: 8443 });
    expect(pins.get(hostKey('B.TEST', 8443))).to.deep.equal({ address: '10.0.0.7', port: 8443 });
    expect(pins.get(hostKey('::1', 443))).to.equal(pins.get(hostKey('[::1]', 443)));
    expect(pins.get(hostKey('media.test.', 443))).to.equal(pins.get(hostKey('media.test', 443)));
    expect(pins.get(hostKey('[::1]', 443))).to.deep.equal({ address: '::1', port: 9443 });
  });

  it('the error names the invalid pin', () => {
    for (const pin of [
      'media.test=127.0.0.1',
      'media.test:443',
      'media.test:0=127.0.0.1',
      'media.test:443=host',
      'a:b:443=127.0.0.1',
    ])
      expect(() => parsePinnedHosts([pin]), pin).to.throw(`'${pin}'`);
  });
});
