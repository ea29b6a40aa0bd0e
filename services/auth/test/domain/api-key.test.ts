/**
 * Texts with a valid checksum that are not keys, keys in texts of the audit, and the exact bounds of a key's settings.
 */
import { expect } from 'chai';
import { crc32 } from 'node:zlib';
import { formatApiKey, makeApiKey, parseApiKey, rejectKeys, toBase62 } from '../../src/domain/api-key.ts';
import { checkLimits, checkScopes, describeLimits } from '../../src/domain/key-settings.ts';
import { checkPublisherNames, describeNames } from '../../src/domain/publisher.ts';

const key = makeApiKey('k'.repeat(24), 'r'.repeat(26));
/** A text that ends with the checksum of everything before it: anyone who knows the algorithm can compute it. */
function withChecksum(body: string): string {
  return body + toBase62(crc32(body), 6);
}

describe('a text with a valid checksum', () => {
  it('a text with a valid checksum and form is a key', () => {
    expect(parseApiKey(withChecksum(formatApiKey(key).slice(0, -6)))).to.deep.equal(key);
  });

  it('a text with a valid checksum and extra characters is not a key', () => {
    expect(parseApiKey(withChecksum(`x${formatApiKey(key).slice(0, -6)}`))).to.equal(null);
    expect(parseApiKey(withChecksum(formatApiKey(key)))).to.equal(null);
  });

  it('a text with a valid checksum and another prefix, alphabet or structure is not a key', () => {
    for (const body of [`svc_test_${key.id}_${'r'.repeat(26)}`, `svc_live_${key.id}_${'-'.repeat(26)}`, 'x', ''])
      expect(parseApiKey(withChecksum(body)), body).to.equal(null);
  });
});

describe('the audit', () => {
  it('a text that contains a key anywhere is rejected', () => {
    const text = formatApiKey(key);
    for (const wrong of [text, `it was ${text}, sorry`])
      expect(() => rejectKeys(wrong))
        .to.throw('neither actor nor reason may contain a key')
        .with.property('code', 'INVALID_ARGUMENT');
    for (const right of ['', `svc_live_${'k'.repeat(24)}`, text.slice(0, -1)])
      expect(() => rejectKeys(right)).not.to.throw();
  });

  it('the audit describes limits and names', () => {
    expect(describeLimits({ minuteLimit: 60, dailyLimit: 500 })).to.equal('60 per minute, 500 per day');
    expect(describeNames({ name: 'League', organization: 'Sports Ltd' })).to.equal("'League' of 'Sports Ltd'");
  });
});

describe('invalid settings', () => {
  it('the error about invalid scopes lists all scopes', () => {
    const all = 'the scopes are videos:read and videos:write';
    expect(() => checkScopes(['videos:all']))
      .to.throw(`there is no scope 'videos:all'; ${all}`)
      .with.property('code', 'INVALID_ARGUMENT');
    expect(() => checkScopes([])).to.throw(`a key needs at least one scope; ${all}`);
  });

  it('the error about an invalid limit names it, its range and the given value', () => {
    expect(() => checkLimits({ minuteLimit: 10_001, dailyLimit: undefined })).to.throw(
      'the minute limit must be a whole number from 1 to 10000, got 10001',
    );
    expect(() => checkLimits({ minuteLimit: undefined, dailyLimit: 0 })).to.throw(
      'the daily limit must be a whole number from 1 to 1000000, got 0',
    );
  });

  it('one request a minute and one a day are valid limits', () => {
    expect(checkLimits({ minuteLimit: 1, dailyLimit: 1 })).to.deep.equal({ minuteLimit: 1, dailyLimit: 1 });
    expect(checkLimits({ minuteLimit: 7, dailyLimit: undefined })).to.have.all.keys('minuteLimit');
    expect(checkLimits({ minuteLimit: undefined, dailyLimit: 7 })).to.have.all.keys('dailyLimit');
  });

  it('a publisher name of 200 characters is valid and one of 201 is not', () => {
    const name = 'x'.repeat(200);
    expect(checkPublisherNames({ name, organization: name })).to.deep.equal({ name, organization: name });
    expect(() => checkPublisherNames({ name: 'N', organization: `${name}x` }))
      .to.throw('organization must be 1 to 200 characters without control characters')
      .with.property('code', 'INVALID_ARGUMENT');
  });
});
