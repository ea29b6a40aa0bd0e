import { expect } from 'chai';
import fc from 'fast-check';
import { isPublicAddress } from '@vds/chassis/net/public-address';
import { runs } from '@vds/testkit/counts';

describe('public addresses of sources', () => {
  // The blocks of the IANA special-purpose registries (RFC 6890 and its updates) that are not globally reachable, and
  // everything outside the unicast space, as their own bit patterns.
  const v4 =
    '0/8 10/8 100.64/10 127/8 169.254/16 172.16/12 192.0.0/24 192.0.2/24 192.88.99/24 192.168/16 198.18/15 198.51.100/24 203.0.113/24 224/4 240/4'.split(
      ' ',
    );
  const valueOf = (address: string): number =>
    address.split('.').reduce((value, part) => value * 256 + Number(part), 0);
  const v4Blocks = v4.map((block) => {
    const [network = '', bits = ''] = block.split('/');
    const padded = [...network.split('.'), '0', '0', '0'].slice(0, 4).join('.');
    return { first: valueOf(padded), last: valueOf(padded) + 2 ** (32 - Number(bits)) - 1 };
  });
  const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

  it('no IPv4 address of a special-purpose block is public', () => {
    const inside = fc.constantFrom(...v4Blocks).chain(({ first, last }) => fc.integer({ min: first, max: last }));
    fc.assert(
      fc.property(inside, (value) => !isPublicAddress(dotted(value))),
      { numRuns: runs(2_000) },
    );
    for (const { first, last } of v4Blocks)
      for (const edge of [first, last]) expect(isPublicAddress(dotted(edge)), dotted(edge)).to.equal(false);
  });

  it('every IPv4 address that is public lies outside of the special-purpose blocks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (value) => {
        const special = v4Blocks.some(({ first, last }) => value >= first && value <= last);
        return !(isPublicAddress(dotted(value)) && special);
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('no IPv6 address outside 2000::/3 and none that embeds an IPv4 address is public', () => {
    const groups = (count: number) =>
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: count, maxLength: count });
    const text = (parts: readonly number[]): string => parts.map((part) => part.toString(16)).join(':');
    const outside = groups(8).filter(([first = 0]) => first >>> 13 !== 1);
    const wrapped = fc.oneof(
      groups(7).map((rest) => [0x2002, ...rest]),
      groups(6).map((rest) => [0x2001, 0, ...rest]),
      groups(2).map((rest) => [0, 0, 0, 0, 0, 0xffff, ...rest]),
      groups(2).map((rest) => [0x64, 0xff9b, 0, 0, 0, 0, ...rest]),
      fc
        .tuple(groups(3), fc.constantFrom(0, 0x200), groups(2))
        .map(([a, flag, b]) => [0x2a00, ...a, flag, 0x5efe, ...b]),
      groups(6).map((rest) => [0x2001, 0xdb8, ...rest]),
      groups(7).map((rest) => [0x3fff, (rest[0] ?? 0) & 0x0fff, ...rest.slice(1)]),
    );
    fc.assert(
      fc.property(fc.oneof(outside, wrapped), (parts) => !isPublicAddress(text(parts))),
      { numRuns: runs(5_000) },
    );
  });

  it('ordinary addresses of the internet are public', () => {
    for (const address of [
      '8.8.8.8',
      '1.1.1.1',
      '99.255.255.255',
      '172.32.0.1',
      '2a00:1450:4001::1',
      '2606:4700::1111',
      '2d00::1',
    ])
      expect(isPublicAddress(address), address).to.equal(true);
  });
});
