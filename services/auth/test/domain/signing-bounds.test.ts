/** Exact bounds: the millisecond at which a signing key changes state, the last valid character and duration of a token. */
import { expect } from 'chai';
import { playbackClaims, tokenLifeSeconds } from '../../src/domain/playback-token.ts';
import {
  retiresAt,
  scheduleNext,
  publishedKeys,
  signerAt,
  type ScheduledKey,
} from '../../src/domain/signing-schedule.ts';

function signing(kid: string, signsFrom: number): ScheduledKey {
  return { kid, publishedAt: 0, signsFrom };
}
function kids(keys: readonly ScheduledKey[]): string[] {
  return keys.map(({ kid }) => kid);
}

describe('at the exact millisecond', () => {
  it('a signing key signs from its exact start', () => {
    const keys = [signing('old', 0), signing('new', 1_000)];
    expect([999, 1_000].map((now) => signerAt(keys, now).kid)).to.deep.equal(['old', 'new']);
  });

  it('a signing key is unpublished at its exact retirement', () => {
    const keys = [signing('old', 0), signing('new', 1_000)];
    expect(retiresAt(keys, 'old', 500)).to.equal(1_500);
    expect(kids(publishedKeys(keys, 1_499, 500))).to.deep.equal(['new', 'old']);
    expect(kids(publishedKeys(keys, 1_500, 500))).to.deep.equal(['new']);
  });

  it('the next signing key may be scheduled at the exact start of the previous one', () => {
    const keys = [signing('only', 1_000)];
    expect(() => scheduleNext(keys, 999, 300))
      .to.throw(
        'signing key only is already published and signs from 1970-01-01T00:00:01.000Z; rotate again after that',
      )
      .with.property('code', 'FAILED_PRECONDITION');
    expect(scheduleNext(keys, 1_000, 300)).to.deep.equal({ publishedAt: 1_000, signsFrom: 1_600 });
  });
});

describe('two signing keys with the same start', () => {
  it('signing keys with the same start sign and retire in the order of their kids on every replica', () => {
    const [a, b] = [signing('a', 1_000), signing('b', 1_000)];
    for (const keys of [
      [a, b],
      [b, a],
    ]) {
      expect(signerAt(keys, 1_000).kid).to.equal('b');
      expect([retiresAt(keys, 'a', 500), retiresAt(keys, 'b', 500)]).to.deep.equal([1_500, null]);
      expect(kids(publishedKeys(keys, 1_000, 500))).to.deep.equal(['b', 'a']);
    }
  });
});

describe('an invalid token request', () => {
  const request = { playbackId: 'abc', durationMs: 0, now: 0, issuer: 'i', audience: 'a', jti: 'j' };

  it('an invalid playback id or duration is INVALID_ARGUMENT', () => {
    expect(() => playbackClaims({ ...request, playbackId: '/' }))
      .to.throw('a playback id is 1 to 64 characters of 0-9A-Za-z_-')
      .with.property('code', 'INVALID_ARGUMENT');
    for (const durationMs of [-1, 0.5, Number.NaN])
      expect(() => tokenLifeSeconds(durationMs))
        .to.throw(`the duration of the video must be 0 ms or more, got ${durationMs}`)
        .with.property('code', 'INVALID_ARGUMENT');
  });

  it('a playback id of 64 characters is valid', () => {
    expect(playbackClaims({ ...request, playbackId: 'x'.repeat(64) }).sub).to.have.length(64);
  });

  it('the lifetime of a token is rounded up to whole seconds', () => {
    expect(tokenLifeSeconds(5 * 3_600_000 + 1)).to.equal(10 * 3_600 + 1);
  });
});
