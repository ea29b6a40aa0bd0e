import { expect } from 'chai';
import fc from 'fast-check';
import { checkLimits, checkScopes } from '../src/domain/key-settings.ts';
import { playbackClaims, tokenLifeSeconds } from '../src/domain/playback-token.ts';
import { checkPublisherNames } from '../src/domain/publisher.ts';

const HOUR_MS = 3_600_000;

describe('the settings of a key', () => {
  it('keep known scopes once and in one order', () => {
    expect(checkScopes(['videos:write', 'videos:read', 'videos:write'])).to.deep.equal(['videos:read', 'videos:write']);
    expect(checkScopes(['videos:read'])).to.deep.equal(['videos:read']);
  });

  it('need a scope, and only such as exist', () => {
    expect(() => checkScopes([]))
      .to.throw('at least one scope')
      .with.property('code', 'INVALID_ARGUMENT');
    expect(() => checkScopes(['videos:read', 'videos:all'])).to.throw("no scope 'videos:all'");
  });

  it('take limits from 1 to their caps and pass on only those that were given', () => {
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
  it('are trimmed', () => {
    expect(checkPublisherNames({ name: ' League ', organization: '\tSports Ltd ' })).to.deep.equal({
      name: 'League',
      organization: 'Sports Ltd',
    });
  });

  it('are neither empty, nor long, nor of several lines', () => {
    for (const name of ['', '   ', 'x'.repeat(201), 'a\nb'])
      expect(() => checkPublisherNames({ name, organization: 'O' })).to.throw('name must be 1 to 200 characters');
    expect(() => checkPublisherNames({ name: 'N', organization: ' ' })).to.throw('organization must be');
  });
});

describe('a playback token', () => {
  it('lives 6 hours for a clip, twice the video for a game, and never longer than a day', () => {
    expect(tokenLifeSeconds(25_000)).to.equal(6 * 3_600);
    expect(tokenLifeSeconds(4 * HOUR_MS)).to.equal(8 * 3_600);
    expect(tokenLifeSeconds(13 * HOUR_MS)).to.equal(24 * 3_600);
  });

  it('always outlives its video, up to half a day of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 * HOUR_MS }), (durationMs) => {
        const life = tokenLifeSeconds(durationMs);
        expect(life * 1_000).to.be.at.least(2 * durationMs);
        expect(life).to.be.within(6 * 3_600, 24 * 3_600);
      }),
    );
  });

  it('names issuer, viewer, subject, times in whole seconds and itself', () => {
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

  it('is not made for something that is no playback id, nor for a negative length', () => {
    const request = { playbackId: 'abc', durationMs: 0, now: 0, issuer: 'i', audience: 'a', jti: 'j' };
    for (const playbackId of ['', '../x', 'a b', 'x'.repeat(65)])
      expect(() => playbackClaims({ ...request, playbackId })).to.throw('a playback id is');
    expect(() => playbackClaims({ ...request, durationMs: -1 })).to.throw('0 ms or more');
  });
});
