import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { exportSPKI, importJWK, type CryptoKey, type JWK } from 'jose';
import { newSigner, sign } from './fake-services.ts';
import { readyVideo } from './playback.ts';
import { viewerFixture } from './viewer-fixture.ts';

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}
function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('rejected viewers', () => {
  const viewer = viewerFixture(Buffer.alloc(1_000));

  /** Status and code at the entry, the master and a segment; all three must agree. */
  const outcome = async (token: string, playbackId = 'pbk1abcdefghijklmnopqrstuvw'): Promise<string> => {
    const seen = new Set<string>();
    for (const path of [
      `/${playbackId}.m3u8?token=${token}`,
      `/p/${token}/${playbackId}/master.m3u8`,
      `/p/${token}/${playbackId}/piece-0.1/v/seg-00000.m4s`,
    ]) {
      const response = await viewer.playback.get(path);
      if (response.status < 400) {
        seen.add('in');
        await response.body?.cancel();
      } else {
        expect(response.headers.get('cache-control')).to.equal('no-store');
        const { error } = (await response.json()) as { error: { code: string; request_id: string } };
        expect(error.request_id).to.match(/^req_/).and.equal(response.headers.get('x-request-id'));
        seen.add(`${response.status} ${error.code}`);
      }
    }
    return [...seen].join(', ');
  };

  it('a viewer without a token gets 401', async () => {
    for (const query of ['', '?', '?token=', '?token=a&token=b', '?other=x']) {
      const response = await viewer.playback.get(`/pbk1abcdefghijklmnopqrstuvw.m3u8${query}`);
      expect([response.status, response.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer']);
      expect(((await response.json()) as { error: { code: string } }).error.code).to.equal('token_missing');
    }
  });

  it('a viewer with a malformed or wrongly signed token gets 401', async () => {
    const wrongSigner = await newSigner('k1');
    const other = await newSigner('k2');
    const good = await sign(viewer.signer, 'pbk1abcdefghijklmnopqrstuvw');
    const [head = '', payload = '', signature = ''] = good.split('.');
    const claims = {
      iss: 'vds-auth',
      aud: 'vds-playback',
      sub: 'pbk1abcdefghijklmnopqrstuvw',
      iat: seconds(),
      exp: seconds() + 100,
    };
    const spki = await exportSPKI(
      (await importJWK(viewer.signer.jwk as JWK, 'ES256', { extractable: true })) as CryptoKey,
    );
    const hs = `${encoded({ alg: 'HS256', kid: 'k1' })}.${encoded(claims)}`;
    const forged = [
      'x', 'a.b.c', '...', `${head}.${payload}.`, `${head}.${payload}`, `${good}x`, `${head}.${encoded({ ...claims, sub: 'pbk1abcdefghijklmnopqrstuvw' })}.${signature}`,
      `${encoded({ alg: 'none', kid: 'k1' })}.${encoded(claims)}.`, `${hs}.${createHmac('sha256', spki).update(hs).digest('base64url')}`,
      `${encoded({ alg: 'ES256' })}.${payload}.${signature}`, await sign(wrongSigner, 'pbk1abcdefghijklmnopqrstuvw'), await sign(other, 'pbk1abcdefghijklmnopqrstuvw'),
    ]; // prettier-ignore
    for (const token of forged) expect(await outcome(token), token).to.equal('401 token_invalid');
  });

  it('a token of another issuer or audience, or without an expiry gets 401', async () => {
    for (const claims of [{ iss: 'other' }, { aud: 'other' }, { exp: undefined }, { sub: undefined }])
      expect(
        await outcome(await sign(viewer.signer, 'pbk1abcdefghijklmnopqrstuvw', claims)),
        JSON.stringify(claims),
      ).to.equal('401 token_invalid');
  });

  it('an expired token gets 403 after 30 s of skew', async () => {
    expect(await outcome(await sign(viewer.signer, 'pbk1abcdefghijklmnopqrstuvw', { exp: seconds() - 35 }))).to.equal(
      '403 token_expired',
    );
    expect(
      await outcome(
        await sign(viewer.signer, 'pbk1abcdefghijklmnopqrstuvw', { exp: seconds() - 20, iat: seconds() - 100 }),
      ),
    ).to.equal('in');
    expect(await outcome(await sign(viewer.signer, 'pbk1abcdefghijklmnopqrstuvw', { iat: seconds() + 300 }))).to.equal(
      'in',
    );
  });

  it('a token of another video gets 403, even after it was used there', async () => {
    const token = await sign(viewer.signer, 'pbk1abcdefghijklmnopqrstuvw');
    expect(await outcome(token)).to.equal('in');
    expect(await outcome(token, 'pbk2abcdefghijklmnopqrstuvw')).to.equal('403 token_of_other_video');
  });

  it('a closed gate and an unknown video get 404', async () => {
    for (const [index, change] of [
      { state: 'VIDEO_STATE_ARCHIVED' as const },
      { state: 'VIDEO_STATE_ARCHIVED' as const, held: true },
      { state: 'VIDEO_STATE_DELETED' as const, gateClosesInMs: 0 },
      { state: 'VIDEO_STATE_PROCESSING' as const },
      { state: 'VIDEO_STATE_FAILED' as const },
      { gateClosesInMs: -1 },
      undefined,
    ].entries()) {
      const playbackId = `closed${index}`.padEnd(27, 'x');
      if (change) viewer.state.videos.set(playbackId, { ...readyVideo('v1'), ...change });
      expect(await outcome(await sign(viewer.signer, playbackId), playbackId), playbackId).to.equal('404 not_found');
      // The thumbnail of an archived video is in its record: a hold shuts it.
      const shown = change?.state === 'VIDEO_STATE_ARCHIVED' && !('held' in change);
      expect((await viewer.playback.get(`/t/${playbackId}.jpg`)).status).to.equal(shown ? 200 : 404);
    }
  });

  it('corrupt stored data get 500 without internal details', async () => {
    viewer.state.videos.set('broken', { ...readyVideo('v1'), ladderKey: 'videos/v9/1/assemble.1/ladder.json' });
    expect(await outcome(await sign(viewer.signer, 'broken'), 'broken')).to.match(/500 internal_error/);
    viewer.state.videos.set('lost', { ...readyVideo('v9') });
    const response = await viewer.playback.get(`/p/${await sign(viewer.signer, 'lost')}/lost/master.m3u8`);
    expect(response.status).to.equal(500);
    expect(await response.text()).not.to.match(/ladder|videos\//);
  });
});
