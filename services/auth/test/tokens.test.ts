import { expect } from 'chai';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import type pg from 'pg';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { seal, unseal } from '../src/outbound/sealed.ts';
import { ensureSigningKey, listSigningKeys } from '../src/outbound/signing-keys.ts';
import { authDatabase, authSecrets, failureOf, poolOf, spawnAuth, startAuth, type RunningAuth } from './fixtures.ts';
import { opensWith } from './gcm.ts';
import { openReplicas } from './replicas.ts';

const CLAIMS = { issuer: 'vds-auth', audience: 'vds-playback' };

describe('playback tokens over gRPC', function () {
  this.timeout(60_000);

  const secrets = authSecrets();
  // Verifiers cache the set for 1 s here, so a new key signs after 2 s; the old one is retired 1 s after that.
  const env = { TIME_SCALE: 'jwksMaxAge=1s,retireAfter=1s,cleanupEvery=100ms' };
  let database: TestDatabase;
  let db: pg.Pool;
  let replicas: readonly [RunningAuth, RunningAuth];

  before(async () => {
    database = await authDatabase();
    db = poolOf(database, 1);
    replicas = await Promise.all([startAuth(database, secrets, env), startAuth(database, secrets, env)]);
  });
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await db.end();
    await database.drop();
  });

  const mint = async (playbackId = 'play1', durationMs = 25_000, replica = replicas[0]) =>
    replica.as('apps').MintPlaybackToken({ playbackId, durationMs });
  const jwks = async (replica = replicas[0]): Promise<JSONWebKeySet> =>
    JSON.parse((await replica.as('playback').GetJwks({})).json) as JSONWebKeySet;
  const kidOf = (token: string): string | undefined => decodeProtectedHeader(token).kid;

  it('two replicas that boot at once publish the same single signing key', async () => {
    const sets = await Promise.all(replicas.map(jwks));
    expect(sets[0]?.keys).to.have.length(1);
    expect(sets[1]).to.deep.equal(sets[0]);
  });

  it('concurrent attempts to create the first signing key create one', async () => {
    const fresh = await openReplicas();
    try {
      const secrets = [Buffer.alloc(32, 7)] as const;
      const stores = fresh.pools.map((pool) => ({ pool, secrets, jwksMaxAgeMs: 1_000 }));
      await Promise.all([0, 1, 0, 1, 0, 1].map((n) => ensureSigningKey(stores[n]!)));
      expect(await listSigningKeys(fresh.pools[0])).to.have.length(1);
    } finally {
      await fresh.close();
    }
  });

  it('a playback token verifies with the published key set and has the specified claims', async () => {
    const { token, expiresAtMs } = await mint('play1', 4 * 3_600_000);
    const set = createLocalJWKSet(await jwks(replicas[1]));
    const { payload, protectedHeader } = await jwtVerify(token, set, { ...CLAIMS, algorithms: ['ES256'] });
    expect(payload.sub).to.equal('play1');
    expect(payload.exp! - payload.iat!).to.equal(8 * 3_600);
    expect(payload.exp! * 1_000).to.equal(expiresAtMs);
    expect(Math.abs(payload.iat! * 1_000 - Date.now())).to.be.below(10_000);
    expect(protectedHeader).to.deep.equal({ alg: 'ES256', typ: 'JWT', kid: (await jwks()).keys[0]?.kid });
  });

  it('every playback token has its own id', async () => {
    const set = createLocalJWKSet(await jwks());
    const ids = await Promise.all([1, 2, 3].map(async () => (await jwtVerify((await mint()).token, set)).payload.jti));
    expect(new Set(ids).size).to.equal(3);
  });

  it('a playback token with changed claims does not verify', async () => {
    const { token } = await mint();
    const [header, , signature] = token.split('.');
    const claims = Buffer.from(JSON.stringify({ sub: 'play2', iss: 'vds-auth', aud: 'vds-playback' })).toString(
      'base64url',
    );
    const forged = jwtVerify(`${header}.${claims}.${signature}`, createLocalJWKSet(await jwks()));
    expect(await failureOf(forged)).to.have.property('code', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
  });

  it('a token of an excerpt carries its milliseconds, and one that is no excerpt is rejected', async () => {
    const excerptOf = (startMs: number, endMs: number, more: object = { playbackId: 'play1' }) =>
      replicas[0].as('apps').MintPlaybackToken({ durationMs: 60_000, excerpt: { startMs, endMs }, ...more });
    const set = createLocalJWKSet(await jwks());
    const { payload } = await jwtVerify((await excerptOf(0, 12_345)).token, set, CLAIMS);
    expect(payload).to.have.property('sub', 'play1@0-12345');
    for (const [startMs, endMs] of [
      [-1, 5_000],
      [5_000, 5_999],
      [5_000, 1_000],
      [0, 600_001],
      [0, 0],
    ] as const)
      // prettier-ignore
      expect(await failureOf(excerptOf(startMs, endMs)), `${startMs}`).to.have.property('code', 'INVALID_ARGUMENT');
    const early = await failureOf(excerptOf(0, 5_000, { videoId: '01kb2m4n5p6q7r8s9tavbwcxdy' }));
    expect(early.code).to.be.oneOf(['INVALID_ARGUMENT', 'PERMISSION_DENIED']);
  });

  it('only apps and the staff may mint playback tokens, and only services may read the key set', async () => {
    const request = { playbackId: 'play1', durationMs: 0 };
    const staff = await replicas[0].asOnAdminPort('vdsctl').MintPlaybackToken(request);
    expect(staff.token).to.be.a('string');
    const failures = await Promise.all([
      failureOf(replicas[0].as('playback').MintPlaybackToken(request)),
      failureOf(replicas[0].asOnAdminPort('apps').MintPlaybackToken(request)),
      failureOf(replicas[0].as('gateway').GetJwks({})),
    ]);
    for (const { code } of failures) expect(code).to.equal('PERMISSION_DENIED');
  });

  it('only apps, and only where the setting lets them, mint a token for a video that is processed', async () => {
    const videoId = '01kb2m4n5p6q7r8s9tavbwcxdy';
    const open = await startAuth(database, secrets, { ...env, APPS_PREVIEW: 'true' });
    try {
      const { token, expiresAtMs } = await open.as('apps').MintPlaybackToken({ videoId, durationMs: 0 });
      const { payload } = await jwtVerify(token, createLocalJWKSet(await jwks(open)), CLAIMS);
      expect(payload).to.include({ sub: videoId, preview: 'apps', exp: expiresAtMs / 1_000 });
      const rejected = await Promise.all([
        failureOf(replicas[0].as('apps').MintPlaybackToken({ videoId })),
        failureOf(open.as('vdsctl').MintPlaybackToken({ videoId })),
        failureOf(open.asOnAdminPort('vdsctl').MintPlaybackToken({ videoId })),
        failureOf(open.as('gateway').MintPlaybackToken({ videoId })),
      ]);
      for (const { code } of rejected) expect(code).to.equal('PERMISSION_DENIED');
      for (const request of [{ playbackId: videoId }, { videoId: 'vid' }, { videoId, playbackId: 'play1' }, {}])
        expect(await failureOf(open.as('apps').MintPlaybackToken(request))).to.have.property(
          'code',
          'INVALID_ARGUMENT',
        );
    } finally {
      await open.stop();
    }
  });

  it('minting a token for a malformed playback id or duration is INVALID_ARGUMENT', async () => {
    expect(await failureOf(mint('../master'))).to.have.property('code', 'INVALID_ARGUMENT');
    expect(await failureOf(mint('play1', -1))).to.have.property('code', 'INVALID_ARGUMENT');
  });

  it('a rotated signing key is published, waits, signs and retires while every token verifies', async () => {
    const before = (await jwks()).keys[0]?.kid;
    const staff = replicas[0].adminAs('vdsctl');
    const next = await staff.RotateSigningKey({});
    expect(Date.parse(next.signsFrom) - Date.parse(next.publishedAt)).to.equal(2_000);
    expect(await failureOf(staff.RotateSigningKey({}))).to.have.property('code', 'FAILED_PRECONDITION');
    expect((await jwks()).keys.map(({ kid }) => kid)).to.deep.equal([next.kid, before]);

    // The other replica, as seen by a verifier that fetches the set every second.
    let held = createLocalJWKSet(await jwks(replicas[1]));
    let fetchedAt = Date.now();
    const kids: (string | undefined)[] = [];
    await until(
      async () => {
        if (Date.now() - fetchedAt >= 1_000) {
          held = createLocalJWKSet(await jwks(replicas[1]));
          fetchedAt = Date.now();
        }
        const { token } = await mint('play1', 0, replicas[1]);
        const unknown = await jwtVerify(token, held, CLAIMS)
          .then(() => false)
          .catch(String);
        // A set that became too old while this machine was busy proves nothing.
        if (unknown !== false && Date.now() - fetchedAt <= 2_000) kids.push(`not verified: ${unknown}`);
        kids.push(kidOf(token));
        if (kidOf(token) === next.kid) expect(Date.now()).to.be.at.least(Date.parse(next.signsFrom) - 5);
        return kidOf(token) === next.kid;
      },
      { what: 'the new key signs' },
    );
    expect(new Set(kids)).to.deep.equal(new Set([before, next.kid]));

    await until(async () => (await jwks(replicas[1])).keys.length === 1, { what: 'the old key is retired' });
    expect((await jwks(replicas[1])).keys[0]?.kid).to.equal(next.kid);
    await until(async () => (await db.query('select 1 from signing_keys')).rowCount === 1, {
      what: 'its row is deleted',
    });
  });

  it('the key set has its maximum age and public halves only', async () => {
    const { json, maxAgeSeconds } = await replicas[0].as('playback').GetJwks({});
    expect(maxAgeSeconds).to.equal(1);
    for (const key of (JSON.parse(json) as JSONWebKeySet).keys)
      expect(Object.keys(key).toSorted()).to.deep.equal(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('private signing keys are sealed at rest', async () => {
    const { rows } = await db.query<{ kid: string; sealed_private_key: Buffer }>('select * from signing_keys');
    for (const { kid, sealed_private_key: sealed } of rows) {
      expect(sealed.toString('latin1')).to.not.contain('PRIVATE KEY');
      expect(await opensWith(secrets.signingKeySecret, kid, sealed)).to.equal(true);
    }
  });

  it('startup fails when SIGNING_KEY_SECRET does not open the keys', async () => {
    const { signingKeySecret } = authSecrets();
    const wrong = spawnAuth(database, { ...secrets, signingKeySecret });
    expect(await wrong.exited).to.equal(1);
    expect(wrong.output()).to.contain('SIGNING_KEY_SECRET does not open what is sealed');
    expect(wrong.output()).to.not.contain(signingKeySecret);
  });
});

describe('a sealed private key', function () {
  this.timeout(60_000);

  const secret = [Buffer.alloc(32, 1)] as const;

  it('a sealed private key opens only with its secret and kid, unchanged', () => {
    const sealed = seal(secret, 'name', 'text');
    expect(unseal(secret, 'name', sealed)).to.equal('text');
    expect(() => unseal(secret, 'other', sealed)).to.throw('does not open what is sealed for other');
    expect(() => unseal([Buffer.alloc(32, 2)], 'name', sealed)).to.throw('does not open');
    for (const at of [0, 12, 28, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => unseal(secret, 'name', changed)).to.throw('does not open');
    }
    expect(() => unseal(secret, 'name', sealed.subarray(0, 20))).to.throw('does not open');
  });

  it('sealing the same private key twice gives different bytes', () => {
    expect(seal(secret, 'name', 'text')).to.not.deep.equal(seal(secret, 'name', 'text'));
  });
});
