/** Texts that have a right checksum and still are no keys; and where the ranges of a key's settings end. */
import { expect } from 'chai';
import { formatApiKey, isKeyId, makeApiKey, parseApiKey } from '../../src/domain/api-key.ts';
import { toBase62 } from '../../src/domain/base62.ts';
import { crc32 } from '../../src/domain/crc32.ts';
import { checkLimits, checkScopes } from '../../src/domain/key-settings.ts';
import { checkPublisherNames } from '../../src/domain/publisher.ts';

const key = makeApiKey('k'.repeat(24), 'r'.repeat(26));
/** A text that ends with the checksum of all before it, as whoever has read this code can make one. */
function sealed(body: string): string {
  return body + toBase62(crc32(body), 6);
}

describe('a text with a right checksum', () => {
  it('is a key where its form is right too', () => {
    expect(parseApiKey(sealed(formatApiKey(key).slice(0, -6)))).to.deep.equal(key);
  });

  it('is no key where something stands before or after the form', () => {
    expect(parseApiKey(sealed(`x${formatApiKey(key).slice(0, -6)}`))).to.equal(null);
    expect(parseApiKey(sealed(formatApiKey(key)))).to.equal(null);
  });

  it('is no key where it has another prefix, other characters or no parts at all', () => {
    for (const body of [`svc_test_${key.id}_${'r'.repeat(26)}`, `svc_live_${key.id}_${'-'.repeat(26)}`, 'x', ''])
      expect(parseApiKey(sealed(body)), body).to.equal(null);
  });
});

describe('an id with something before or after it', () => {
  it('is not looked up', () => {
    for (const text of [`-${key.id}`, `${key.id}-`, `${key.id}\n`]) expect(isKeyId(text), text).to.equal(false);
  });
});

describe('the operator’s mistakes', () => {
  it('in scopes are answered with all the scopes there are', () => {
    const all = 'the scopes are videos:read and videos:write';
    expect(() => checkScopes(['videos:all']))
      .to.throw(`there is no scope 'videos:all'; ${all}`)
      .with.property('code', 'INVALID_ARGUMENT');
    expect(() => checkScopes([])).to.throw(`a key needs at least one scope; ${all}`);
  });

  it('in limits are answered with the limit’s name, its range and what was given', () => {
    expect(() => checkLimits({ minuteLimit: 10_001, dailyLimit: undefined })).to.throw(
      'the minute limit must be a whole number from 1 to 10000, got 10001',
    );
    expect(() => checkLimits({ minuteLimit: undefined, dailyLimit: 0 })).to.throw(
      'the daily limit must be a whole number from 1 to 1000000, got 0',
    );
  });

  it('begin below one request: one a minute and one a day are limits', () => {
    expect(checkLimits({ minuteLimit: 1, dailyLimit: 1 })).to.deep.equal({ minuteLimit: 1, dailyLimit: 1 });
    expect(checkLimits({ minuteLimit: 7, dailyLimit: undefined })).to.have.all.keys('minuteLimit');
    expect(checkLimits({ minuteLimit: undefined, dailyLimit: 7 })).to.have.all.keys('dailyLimit');
  });

  it('in names begin with the 201st character', () => {
    const name = 'x'.repeat(200);
    expect(checkPublisherNames({ name, organization: name })).to.deep.equal({ name, organization: name });
    expect(() => checkPublisherNames({ name: 'N', organization: `${name}x` }))
      .to.throw('organization must be 1 to 200 characters without control characters')
      .with.property('code', 'INVALID_ARGUMENT');
  });
});
