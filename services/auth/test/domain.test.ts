import { expect } from 'chai';
import fc from 'fast-check';
import { checkLimits, checkScopes } from '../src/domain/key-settings.ts';
import { playbackClaims, tokenLifeSeconds } from '../src/domain/playback-token.ts';
import { checkPublisherNames } from '../src/domain/publisher.ts';

const HOUR_MS = 3_600_000;

describe('the settings of a key', () => {
  it('scopes are deduplicated and ordered', () => {
    expect(checkScopes(['videos:write', 'videos:read', 'videos:write'])).to.deep.equal(['videos:read', 'videos:write']);
    expect(checkScopes(['videos:read'])).to.deep.equal(['videos:read']);
  });

  it('a key without a scope, or with an unknown one, is rejected', () => {
    expect(() => checkScopes([]))
      .to.throw('at least one scope')
      .with.property('code', 'INVALID_ARGUMENT');
    expect(() => checkScopes(['videos:read', 'videos:all'])).to.throw("no scope 'videos:all'");
  });

  it('limits from 1 to their maximum are accepted, and only those given are returned', () => {
    expect(checkLimits({ minuteLimit: undefined, dailyLimit: 7 })).to.deep.equal({ dailyLimit: 7 });
    expect(checkLimits({ minuteLimit: 10_000, dailyLimit: 1_000_000 })).to.deep.equal({
      minuteLimit: 10_000,
      dailyLimit: 1_000_000,
    });
    for (const limits of [
      { minuteLimit: 0, dailyLimit: undefined },
      { minuteLimit: 10_001, dailyLimit: undefined },
      { minuteLimit: 1.5, dailyLimit: undefined },
      { minuteLimit: undefined, dailyLimit: -1 },
      { minuteLimit: undefined, dailyLimit: 1_000_001 },
    ])
      expect(() => checkLimits(limits))
        .to.throw('whole number from 1')
        .with.property('code', 'INVALID_ARGUMENT');
  });
});

describe('the names of a publisher', () => {
  it('the names of a publisher are trimmed', () => {
    expect(checkPublisherNames({ name: ' League ', organization: '\tSports Ltd ' })).to.deep.equal({
      name: 'League',
      organization: 'Sports Ltd',
    });
  });

  it('empty, overlong and multi-line publisher names are rejected', () => {
    for (const name of ['', '   ', 'x'.repeat(201), 'a\nb'])
      expect(() => checkPublisherNames({ name, organization: 'O' })).to.throw('name must be 1 to 200 characters');
    expect(() => checkPublisherNames({ name: 'N', organization: ' ' })).to.throw('organization must be');
  });
});

describe('a playback token', () => {
  it('a playback token is valid for 6 hours, or twice the duration of the video, at most a day', () => {
    expect(tokenLifeSeconds(25_000)).to.equal(6 * 3_600);
    expect(tokenLifeSeconds(4 * HOUR_MS)).to.equal(8 * 3_600);
    expect(tokenLifeSeconds(13 * HOUR_MS)).to.equal(24 * 3_600);
  });

  it('a playback token outlives twice its video, up to videos of half a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 * HOUR_MS }), (durationMs) => {
        const life = tokenLifeSeconds(durationMs);
        expect(life * 1_000).to.be.at.least(2 * durationMs);
        expect(life).to.be.within(6 * 3_600, 24 * 3_600);
      }),
    );
  });

  it('a playback token has issuer, subject, audience, times in whole seconds and an id', () => {
    const request = { playbackId: 'abc', durationMs: 0, now: 1_700_000_000_999, issuer: 'i', audience: 'a', jti: 'j' };
    expect(playbackClaims(request)).to.deep.equal({
      iss: 'i',
      sub: 'abc',
      aud: 'a',
      iat: 1_700_000_000,
      exp: 1_700_021_600,
      jti: 'j',
    });
  });

  it('a playback token for a malformed playback id or a negative duration is rejected', () => {
    const request = { playbackId: 'abc', durationMs: 0, now: 0, issuer: 'i', audience: 'a', jti: 'j' };
    for (const playbackId of ['', '../x', 'a b', 'x'.repeat(65)])
      expect(() => playbackClaims({ ...request, playbackId })).to.throw('a playback id is');
    expect(() => playbackClaims({ ...request, durationMs: -1 })).to.throw('0 ms or more');
  });
});
