import { expect } from 'chai';
import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { BASE62, formatApiKey, makeApiKey, parseApiKey, toBase62 } from '../src/domain/api-key.ts';
import { base62Text } from './fixtures.ts';
import { runs } from '@vds/testkit/counts';

const keys = fc.record({ id: base62Text(24), random: base62Text(26) }).map(({ id, random }) => makeApiKey(id, random));

describe('an API key', () => {
  it('an API key is svc_live_, 24 characters, an underscore and 32 characters', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(formatApiKey(key)).to.match(/^svc_live_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}$/);
      }),
    );
  });

  it('parsing a formatted API key returns its parts', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(parseApiKey(formatApiKey(key))).to.deep.equal(key);
      }),
    );
  });

  it('an API key with any single character changed is rejected', () => {
    fc.assert(
      fc.property(keys, fc.nat(65), fc.constantFrom(...BASE62.split(''), '_', '-', ' ', 'é'), (key, at, other) => {
        const text = formatApiKey(key);
        fc.pre(text[at] !== other);
        expect(parseApiKey(text.slice(0, at) + other + text.slice(at + 1))).to.equal(null);
      }),
      { numRuns: runs(500) },
    );
  });

  it('an API key with two adjacent characters swapped is rejected', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 9, max: 64 }), (key, at) => {
        const text = formatApiKey(key);
        fc.pre(text[at] !== text[at + 1]);
        const swapped = `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`;
        expect(parseApiKey(swapped)).to.equal(null);
      }),
      { numRuns: runs(500) },
    );
  });

  it('an API key that is truncated, extended or padded with white space is rejected', () => {
    fc.assert(
      fc.property(keys, fc.nat(65), (key, length) => {
        const text = formatApiKey(key);
        const wrong = [text.slice(0, length), `${text}a`, `${text}\n`, ` ${text}`, text.toUpperCase()];
        for (const one of wrong) expect(parseApiKey(one)).to.equal(null);
      }),
    );
  });

  it('parsing arbitrary text as an API key never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(parseApiKey(text)).to.equal(null);
      }),
    );
  });

  it('an API key ends with its CRC-32 in base 62', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const text = formatApiKey(key);
        let value = 0;
        for (const digit of text.slice(-6)) value = value * 62 + BASE62.indexOf(digit);
        expect(value).to.equal(crc32(text.slice(0, -6)));
      }),
    );
  });

  it('the checksum of an API key is CRC-32/ISO-HDLC', () => {
    expect(formatApiKey(makeApiKey('k'.repeat(24), 'r'.repeat(26)))).to.equal(
      'svc_live_kkkkkkkkkkkkkkkkkkkkkkkk_rrrrrrrrrrrrrrrrrrrrrrrrrr0fvK28',
    );
  });

  it('the largest checksum of an API key fits six base 62 digits', () => {
    expect(toBase62(0xffffffff, 6)).to.equal('4gfFC3');
    expect(toBase62(0, 6)).to.equal('000000');
  });
});
