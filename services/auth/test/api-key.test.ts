import { expect } from 'chai';
import fc from 'fast-check';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { BASE62, toBase62 } from '../src/domain/base62.ts';
import { crc32 } from '../src/domain/crc32.ts';
import { formatApiKey, isKeyId, makeApiKey, parseApiKey } from '../src/domain/api-key.ts';
import { base62Text } from './fixtures.ts';
import { runs } from '@vds/testkit/counts';

const keys = fc.record({ id: base62Text(24), random: base62Text(26) }).map(({ id, random }) => makeApiKey(id, random));

describe('the form of an API key', () => {
  it('is svc_live_, 24 characters, an underscore and 32 characters', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(formatApiKey(key)).to.match(/^svc_live_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}$/);
      }),
    );
  });

  it('comes back from its text part by part', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(parseApiKey(formatApiKey(key))).to.deep.equal(key);
      }),
    );
  });

  it('is refused when any one character is another', () => {
    fc.assert(
      fc.property(keys, fc.nat(65), fc.constantFrom(...BASE62.split(''), '_', '-', ' ', 'é'), (key, at, other) => {
        const text = formatApiKey(key);
        fc.pre(text[at] !== other);
        expect(parseApiKey(text.slice(0, at) + other + text.slice(at + 1))).to.equal(null);
      }),
      { numRuns: runs(500) },
    );
  });

  it('is refused when two neighbours changed places', () => {
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

  it('is refused when it is cut, lengthened, or padded with white space', () => {
    fc.assert(
      fc.property(keys, fc.nat(65), (key, length) => {
        const text = formatApiKey(key);
        const wrong = [text.slice(0, length), `${text}a`, `${text}\n`, ` ${text}`, text.toUpperCase()];
        for (const one of wrong) expect(parseApiKey(one)).to.equal(null);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(parseApiKey(text)).to.equal(null);
      }),
    );
  });

  it('has the checksum that zlib computes, in base 62', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const text = formatApiKey(key);
        let value = 0;
        for (const digit of text.slice(-6)) value = value * 62 + BASE62.indexOf(digit);
        expect(value).to.equal(zlibCrc32(text.slice(0, -6)));
      }),
    );
  });

  it('knows the check value of CRC-32/ISO-HDLC', () => {
    expect(crc32('123456789')).to.equal(0xcbf43926);
  });

  it('writes the largest checksum in six digits', () => {
    expect(toBase62(0xffffffff, 6)).to.equal('4gfFC3');
    expect(toBase62(0, 6)).to.equal('000000');
  });

  it('tells an id from anything else', () => {
    expect(isKeyId('a'.repeat(24))).to.equal(true);
    for (const text of ['', 'a'.repeat(23), 'a'.repeat(25), `${'a'.repeat(23)}-`])
      expect(isKeyId(text)).to.equal(false);
  });
});
