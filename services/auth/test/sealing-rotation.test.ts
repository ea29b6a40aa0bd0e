import { auth } from '@vds/proto';
import type { AuthServiceClient } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { freePort } from '@vds/testkit/servers/free-port';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import type pg from 'pg';
import { authDatabase, authSecrets, clientConfig, poolOf, spawnAuth, startAuth, type RunningAuth } from './fixtures.ts';
import { opensWith } from './gcm.ts';

describe('replacing SIGNING_KEY_SECRET in a rolling update of two replicas under load', function () {
  this.timeout(120_000);

  const secrets = authSecrets();
  const [old, fresh] = [secrets.signingKeySecret, authSecrets().signingKeySecret];
  const replicas: RunningAuth[] = [];
  const seen = { requests: 0, failures: [] as string[], viewerKeys: new Set<string>() };
  const stopping = new AbortController();
  let database: TestDatabase;
  let db: pg.Pool;
  let ports: readonly number[];
  let publisherId: string;
  let lanes: Promise<unknown>;
  let clients: undefined | Record<'apps' | 'analytics', Client>;

  type Client = ReturnType<typeof openClient>;
  const openClient = (caller: 'apps' | 'analytics') =>
    rpcClient<AuthServiceClient>(auth.AuthService, {
      target: `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
      config: clientConfig(caller),
      idempotent: ['MintPlaybackToken', 'DescribePublisher'],
    });
  const roll = async (signingKeySecret: string): Promise<void> => {
    for (const [index, port] of ports.entries()) {
      await replicas[index]?.stop();
      const env = { RPC_PORT: String(port), TIME_SCALE: 'cleanupEvery=100ms' };
      const replica = await startAuth(database, { ...secrets, signingKeySecret }, env);
      replicas[index] = replica;
      if (clients !== undefined) await until(() => isUsed(replica), { what: 'its callers are connected again' });
    }
  };
  /** The next replica may stop once callers have found this one again, as `minReadySeconds` lets them. */
  const isUsed = async ({ adminUrl }: RunningAuth): Promise<boolean> => {
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    return ['MintPlaybackToken', 'DescribePublisher'].every((method) =>
      new RegExp(`^vds_rpc_server_seconds_count.*${method}.*code="OK"`, 'm').test(metrics),
    );
  };
  const describePublisher = async (client: Client): Promise<void> => {
    const { viewerKey } = await client.DescribePublisher({ publisherId });
    seen.viewerKeys.add(Buffer.from(viewerKey).toString('base64'));
  };
  const lane = async (request: () => Promise<unknown>): Promise<void> => {
    while (!stopping.signal.aborted) {
      seen.requests += 1;
      await request().catch((error: Error) => seen.failures.push(error.message));
    }
  };
  /** Of every row that is sealed, whether an independent AES-GCM opens it with the secret. */
  const openedBy = async (secret: string): Promise<boolean[]> => {
    const { rows } = await db.query<{ id: string; sealed: Buffer }>(
      `SELECT kid AS id, sealed_private_key AS sealed FROM signing_keys
       UNION ALL SELECT id, sealed_viewer_key FROM organizations`,
    );
    return Promise.all(rows.map(({ id, sealed }) => opensWith(secret, id, sealed)));
  };

  before(async () => {
    database = await authDatabase();
    db = poolOf(database, 1);
    ports = await Promise.all([freePort(), freePort()]);
    await roll(old);
    const staff = replicas[0]?.adminAs('vdsctl');
    publisherId = (await staff?.CreatePublisher({ name: 'n', organization: 'o' }))?.id ?? '';
    const [apps, analytics] = [openClient('apps'), openClient('analytics')];
    clients = { apps, analytics };
    lanes = Promise.all([
      lane(() => apps.MintPlaybackToken({ playbackId: 'play', durationMs: 1_000, viewerId: 'v' })),
      lane(() => describePublisher(analytics)),
    ]);
  });
  after(async () => {
    stopping.abort();
    await lanes;
    await Promise.all(Object.values(clients ?? {}).map((client) => client.close()));
    await Promise.all(replicas.map((replica) => replica.stop()));
    await db.end();
    await database.drop();
  });

  it('every row is sealed again with the first of two secrets, and no request fails from the first rollout to the last', async () => {
    await roll(`${old},${fresh}`);
    expect(await openedBy(old)).to.deep.equal([true, true]);
    await roll(`${fresh},${old}`);
    await until(async () => !(await openedBy(fresh)).includes(false), { what: 'every row opens with the new secret' });
    expect(await openedBy(old)).to.deep.equal([false, false]);
    await roll(fresh);
    const before = seen.requests;
    await until(() => seen.requests > before + 50, { what: 'requests after the last restart' });
    console.log(`      ${seen.requests} requests over eight restarts: ${seen.failures.length} failed`);
    expect(seen.failures).to.deep.equal([]);
    expect([...seen.viewerKeys], 'the key of the organization’s viewers').to.have.length(1);
  });

  it('a process that lacks the secret of any row exits at once and names the row', async () => {
    await db.query('DELETE FROM signing_keys');
    const process = spawnAuth(database, { ...secrets, signingKeySecret: old });
    expect(await process.exited).to.equal(1);
    expect(process.output()).to.match(/SIGNING_KEY_SECRET does not open what is sealed for org_/);
  });
});
