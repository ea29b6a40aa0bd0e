/** What the audit keeps of a change, in words, and what it never keeps. */
import { expect } from 'chai';
import { formatApiKey, makeApiKey } from '../../src/domain/api-key.ts';
import { describeLimits, describeNames, rejectKeys } from '../../src/domain/audit.ts';

const key = formatApiKey(makeApiKey('k'.repeat(24), 'r'.repeat(26)));

describe('the audit', () => {
  it('never holds a key, wherever in a text it stands', () => {
    for (const text of [key, `it was ${key}, sorry`])
      expect(() => rejectKeys(text))
        .to.throw('neither actor nor reason may hold a key')
        .with.property('code', 'INVALID_ARGUMENT');
    for (const text of ['', `svc_live_${'k'.repeat(24)}`, key.slice(0, -1)])
      expect(() => rejectKeys(text)).not.to.throw();
  });

  it('says in words what changed', () => {
    expect(describeLimits({ minuteLimit: 60, dailyLimit: 500 })).to.equal('60 per minute, 500 per day');
    expect(describeNames({ name: 'League', organization: 'Sports Ltd' })).to.equal("'League' of 'Sports Ltd'");
  });
});
