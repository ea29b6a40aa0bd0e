/** What holds at the very moment at which something of a token or a signing key changes. */
import { expect } from 'chai';
import { playbackClaims, tokenLifeSeconds } from '../../src/domain/playback-token.ts';
import { retiresAt, scheduleNext, shownAt, signerAt, type ScheduledKey } from '../../src/domain/signing-schedule.ts';

function signing(kid: string, signsFrom: number): ScheduledKey {
  return { kid, publishedAt: 0, signsFrom };
}
function kids(keys: readonly ScheduledKey[]): string[] {
  return keys.map(({ kid }) => kid);
}

describe('at the very moment', () => {
  it('of its beginning a signing key signs', () => {
    const keys = [signing('old', 0), signing('new', 1_000)];
    expect([999, 1_000].map((now) => signerAt(keys, now).kid)).to.deep.equal(['old', 'new']);
  });

  it('of its retirement a signing key is no longer shown', () => {
    const keys = [signing('old', 0), signing('new', 1_000)];
    expect(retiresAt(keys, 'old', 500)).to.equal(1_500);
    expect(kids(shownAt(keys, 1_499, 500))).to.deep.equal(['new', 'old']);
    expect(kids(shownAt(keys, 1_500, 500))).to.deep.equal(['new']);
  });

  it('of its beginning a signing key lets the next one be made', () => {
    const keys = [signing('only', 1_000)];
    expect(() => scheduleNext(keys, 999, 300))
      .to.throw(
        'signing key only is published already and signs from 1970-01-01T00:00:01.000Z; rotate again after that',
      )
      .with.property('code', 'FAILED_PRECONDITION');
    expect(scheduleNext(keys, 1_000, 300)).to.deep.equal({ publishedAt: 1_000, signsFrom: 1_600 });
  });
});

describe('two signing keys that begin together', () => {
  it('sign, retire and are shown in the order of their names, on every replica alike', () => {
    const [a, b] = [signing('a', 1_000), signing('b', 1_000)];
    for (const keys of [
      [a, b],
      [b, a],
    ]) {
      expect(signerAt(keys, 1_000).kid).to.equal('b');
      expect([retiresAt(keys, 'a', 500), retiresAt(keys, 'b', 500)]).to.deep.equal([1_500, null]);
      expect(kids(shownAt(keys, 1_000, 500))).to.deep.equal(['b', 'a']);
    }
  });
});

describe('a request for a token that cannot be right', () => {
  const request = { playbackId: 'abc', durationMs: 0, now: 0, issuer: 'i', audience: 'a', jti: 'j' };

  it('is the caller’s mistake', () => {
    expect(() => playbackClaims({ ...request, playbackId: '/' }))
      .to.throw('a playback id is 1 to 64 characters of 0-9A-Za-z_-')
      .with.property('code', 'INVALID_ARGUMENT');
    for (const durationMs of [-1, 0.5, Number.NaN])
      expect(() => tokenLifeSeconds(durationMs))
        .to.throw(`the length of the video must be 0 ms or more, got ${durationMs}`)
        .with.property('code', 'INVALID_ARGUMENT');
  });

  it('begins with the 65th character of a playback id', () => {
    expect(playbackClaims({ ...request, playbackId: 'x'.repeat(64) }).sub).to.have.length(64);
  });

  it('does not begin with an odd length: a token’s life is whole seconds, rounded up', () => {
    expect(tokenLifeSeconds(5 * 3_600_000 + 1)).to.equal(10 * 3_600 + 1);
  });
});
