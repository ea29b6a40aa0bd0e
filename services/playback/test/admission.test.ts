import { AppError } from '@vds/chassis/errors';
import { expect } from 'chai';
import { isOpen, type Gate } from '../src/domain/gate.ts';
import { prefixOf } from '../src/inbound/open-gate.ts';
import { checkClaims, readClaims } from '../src/domain/token-claims.ts';

describe('the gate of a video', () => {
  const gate = (state: Gate['state'], gateClosesInMs?: number): Gate => ({
    videoId: 'v1',
    state,
    ladderKey: 'videos/v1/2/assemble.1/ladder.json',
    thumbnailKey: '',
    held: false,
    version: 1,
    subtitles: [],
    ...(gateClosesInMs !== undefined && { gateClosesInMs }),
  });

  it('the gate is open while ready, and after an archive for the time given by catalog, to the millisecond', () => {
    expect(isOpen(gate('VIDEO_STATE_READY'), 5)).to.equal(true);
    expect(isOpen(gate('VIDEO_STATE_ARCHIVED', 1_000), 999)).to.equal(true);
    expect(isOpen(gate('VIDEO_STATE_ARCHIVED', 1_000), 1_000)).to.equal(false);
    expect(isOpen(gate('VIDEO_STATE_READY', 1_000), 1_000)).to.equal(false);
    expect(isOpen(gate('VIDEO_STATE_ARCHIVED', -1), 0)).to.equal(false);
  });

  it('the gate is closed in every other state, and for a video that never became playable', () => {
    for (const state of [
      'VIDEO_STATE_PROCESSING',
      'VIDEO_STATE_FAILED',
      'VIDEO_STATE_DELETED',
      'VIDEO_STATE_UNSPECIFIED',
    ] as const) {
      expect(isOpen(gate(state), 5)).to.equal(false);
      expect(isOpen(gate(state, 1_000), 5)).to.equal(false);
    }
    expect(isOpen(gate('VIDEO_STATE_ARCHIVED'), 5)).to.equal(false);
    expect(isOpen({ ...gate('VIDEO_STATE_READY'), ladderKey: '' }, 5)).to.equal(false);
  });

  it('the gate has the winning attempt, and only one of its own video', () => {
    expect(prefixOf(gate('VIDEO_STATE_READY'))).to.equal('videos/v1/2/');
    for (const ladderKey of ['videos/v2/2/a/ladder.json', 'videos/v1/x/ladder.json', '/videos/v1/2/ladder.json', ''])
      expect(prefixOf({ ...gate('VIDEO_STATE_READY'), ladderKey }), ladderKey).to.equal(undefined);
  });
});

describe('the claims of a token', () => {
  const policy = { issuer: 'i', audience: 'a', skewMs: 30_000 };
  const good = { iss: 'i', aud: 'a', sub: 'pbk1abcdefghijklmnopqrstuvw', jti: 'j', iat: 1_000, exp: 2_000 };
  const outcome = (payload: object, nowMs: number, playbackId = 'pbk1abcdefghijklmnopqrstuvw'): string => {
    try {
      checkClaims(readClaims(payload as Record<string, unknown>, policy), playbackId, nowMs, policy);
      return 'passes';
    } catch (error) {
      return error instanceof AppError ? `${error.code} ${error.reason}` : String(error);
    }
  };

  it('claims are valid until 30 s after their expiry, also before their issue: then a clock is wrong', () => {
    for (const nowMs of [0, 970_000, 1_500_000, 2_030_000]) expect(outcome(good, nowMs)).to.equal('passes');
    expect(outcome(good, 2_030_001)).to.equal('PERMISSION_DENIED token_expired');
  });

  it('claims with several audiences are valid if one is ours', () =>
    expect(outcome({ ...good, aud: ['b', 'a'] }, 1_500_000)).to.equal('passes'));

  it('claims of another issuer or audience, and incomplete ones, are invalid', () => {
    for (const change of [
      { iss: 'x' },
      { aud: 'x' },
      { aud: [] },
      { iss: undefined },
      { sub: undefined },
      { sub: 5 },
      { exp: undefined },
      { exp: '2000' },
      { iat: undefined },
      { exp: Infinity },
    ])
      expect(outcome({ ...good, ...change }, 1_500_000), JSON.stringify(change)).to.equal(
        'UNAUTHENTICATED token_invalid',
      );
  });

  it('claims for another video are forbidden', () =>
    expect(outcome(good, 1_500_000, 'pbk2abcdefghijklmnopqrstuvw')).to.equal('PERMISSION_DENIED token_of_other_video'));
});
