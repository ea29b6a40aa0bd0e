import { expect } from 'chai';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { authDatabase, authSecrets, failureOf, spawnAuth, startAuth, type RunningAuth } from './fixtures.ts';

describe('two replicas of auth', function () {
  this.timeout(60_000);

  const secrets = authSecrets();
  let database: TestDatabase;
  let replicas: readonly [RunningAuth, RunningAuth];

  before(async () => {
    database = await authDatabase();
    const env = { TIME_SCALE: 'window=3s,cleanupEvery=100ms' };
    replicas = await Promise.all([startAuth(database, secrets, env), startAuth(database, secrets, env)]);
  });
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await database.drop();
  });

  const issue = async (minuteLimit: number): Promise<string> => {
    const staff = replicas[0].adminAs('vdsctl');
    const { id: publisherId } = await staff.CreatePublisher({ name: 'n', organization: 'o' });
    return (await staff.IssueKey({ publisherId, scopes: ['videos:read'], minuteLimit })).secretKey;
  };

  it('metrics show decisions and the peppers in use', async () => {
    const key = await issue(1);
    await replicas[0].as('gateway').Authorize({ key });
    const metrics = await until(
      async () => {
        const text = await (await fetch(`${replicas[0].adminUrl}/metrics`)).text();
        return /^vds_auth_active_keys\{.*pepper="one".*\} [1-9]/m.test(text) && text;
      },
      { what: 'the count of keys by pepper' },
    );
    expect(metrics).to.match(/^vds_auth_decisions_total\{.*outcome="admitted".*\} [1-9]/m);
    expect(metrics).to.match(/^vds_auth_signing_key_age_seconds\{.*\} \d/m);
    expect(metrics).to.match(/^vds_rpc_server_seconds_count\{.*AuthService\/Authorize".*code="OK"/m);
  });
});

describe('a process of auth', function () {
  this.timeout(60_000);

  it('while the database is down, tokens and the key set are served and no key is authorized', async () => {
    const database = await authDatabase();
    const service = await startAuth(database, authSecrets(), { TIME_SCALE: 'jwksMaxAge=1s' });
    try {
      const staff = service.adminAs('vdsctl');
      const { id: publisherId } = await staff.CreatePublisher({ name: 'n', organization: 'o' });
      const { secretKey } = await staff.IssueKey({ publisherId, scopes: ['videos:read'] });
      await database.drop();
      const { json } = await until(
        async () => {
          const set = await service.as('playback').GetJwks({});
          return service.output().includes('signing keys could not be refreshed') && set;
        },
        { what: 'the key set is served from the last list' },
      );
      const { token } = await service.as('apps').MintPlaybackToken({ playbackId: 'play1', durationMs: 0 });
      await jwtVerify(token, createLocalJWKSet(JSON.parse(json) as JSONWebKeySet));
      expect(await failureOf(service.as('gateway').Authorize({ key: secretKey }))).to.have.property(
        'code',
        'UNAVAILABLE',
      );
      expect((await fetch(`${service.adminUrl}/readyz`)).status).to.equal(503);
    } finally {
      await service.stop();
    }
  });

  it('startup names every invalid variable and prints no secret', async () => {
    const database = await authDatabase();
    try {
      const secrets = { peppers: 'one:tooshort', signingKeySecret: '' };
      const service = spawnAuth(database, secrets, { RPC_PORT: 'x' });
      expect(await service.exited).to.equal(1);
      expect(service.output()).to.contain('KEY_PEPPERS').and.contain('SIGNING_KEY_SECRET').and.contain('RPC_PORT');
      expect(service.output()).to.not.contain('tooshort');
    } finally {
      await database.drop();
    }
  });
});
