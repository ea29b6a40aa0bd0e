import { randomBytes } from 'node:crypto';
import { auth } from '@vds/proto';
import type { AuthServiceClient } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import { AppError } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { freePort } from '@vds/testkit/servers/free-port';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import type pg from 'pg';
import {
  authDatabase,
  authSecrets,
  BOTH_SCOPES,
  clientConfig,
  expectRejected,
  poolOf,
  startAuth,
  type RunningAuth,
} from './fixtures.ts';

function pepper(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}
const [one, two] = [pepper('one'), pepper('two')];
const REPLICAS = 3;

describe('replacing a pepper in a rolling update of three replicas under load', function () {
  this.timeout(180_000);

  const secrets = authSecrets();
  const replicas: RunningAuth[] = [];
  const seen = { requests: 0, rejected: 0, failed: 0 };
  const stopping = new AbortController();
  let database: TestDatabase;
  let db: pg.Pool;
  let ports: readonly number[];
  let busy: readonly string[];
  let dormant: string;
  let unused: string;
  let lanes: Promise<unknown>;
  let gateway: ReturnType<typeof openGateway>;

  const openGateway = () =>
    rpcClient<AuthServiceClient>(auth.AuthService, {
      target: `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
      config: clientConfig('gateway'),
      idempotent: ['Authorize'],
    });
  const start = async (index: number, peppers: string): Promise<void> => {
    await replicas[index]?.stop();
    replicas[index] = await startAuth(database, { ...secrets, peppers }, { RPC_PORT: String(ports[index]) });
  };
  const roll = async (peppers: string): Promise<void> => {
    for (let index = 0; index < REPLICAS; index++) await start(index, peppers);
  };
  const authorize = async (key: string): Promise<void> => {
    seen.requests += 1;
    const failure = await gateway.Authorize({ key }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure instanceof AppError && failure.code === 'UNAUTHENTICATED') seen.rejected += 1;
    else if (failure !== undefined) seen.failed += 1;
  };
  const lane = async (keys: readonly string[]): Promise<void> => {
    for (let count = 0; !stopping.signal.aborted; count++) await authorize(keys[count % keys.length] ?? '');
  };
  const hashedWith = async (id: string): Promise<number> => {
    const { rows } = await db.query<{ n: number }>('SELECT count(*)::int AS n FROM api_keys WHERE pepper_id = $1', [
      id,
    ]);
    return rows[0]?.n ?? 0;
  };

  before(async () => {
    database = await authDatabase();
    db = poolOf(database, 1);
    ports = await Promise.all(Array.from({ length: REPLICAS }, freePort));
    await Promise.all(ports.map((_, index) => start(index, one)));
    const staff = replicas[0]?.adminAs('vdsctl');
    if (!staff) throw new Error('auth is not running');
    const { id: publisherId } = await staff.CreatePublisher({ name: 'n', organization: 'o' });
    const issue = async (): Promise<string> =>
      (await staff.IssueKey({ publisherId, scopes: BOTH_SCOPES, minuteLimit: 10_000 })).secretKey;
    busy = await Promise.all(Array.from({ length: 6 }, issue));
    [dormant, unused] = [await issue(), await issue()];
    gateway = openGateway();
    lanes = Promise.all([lane(busy), lane(busy.toReversed())]);
  });
  after(async () => {
    stopping.abort();
    await lanes;
    await gateway.close();
    await Promise.all(replicas.map((replica) => replica.stop()));
    await db.end();
    await database.drop();
  });

  it('adding a pepper and making it current rejects no request, and used keys move to it', async () => {
    await roll(`${one},${two}`);
    expect(await hashedWith('two')).to.equal(0);
    await roll(`${two},${one}`);
    await until(async () => (await hashedWith('two')) === busy.length, { what: 'the keys that are used move' });
    await authorize(dormant);
    await until(async () => (await hashedWith('one')) === 1, { what: 'a dormant key moves at its use' });
    expect(seen.rejected, 'rejected requests').to.equal(0);
  });

  it('removing the old pepper keeps used keys working and ends those that were never used since', async () => {
    await roll(two);
    const before = seen.requests;
    await until(() => seen.requests > before + 50, { what: 'requests after the last restart' });
    for (const replica of replicas) {
      await replica.as('gateway').Authorize({ key: dormant });
      await expectRejected(replica.as('gateway').Authorize({ key: unused }));
    }
    console.log(`      ${seen.requests} requests over nine restarts: ${seen.rejected} rejected, ${seen.failed} failed`);
    expect(seen.rejected, 'rejected requests').to.equal(0);
  });

  it('a key whose pepper was removed is replaced by rotating it', async () => {
    const staff = replicas[1]?.adminAs('vdsctl');
    const keyId = unused.slice('svc_live_'.length, 'svc_live_'.length + 24);
    const { secretKey = '' } = (await staff?.RotateKey({ keyId })) ?? {};
    for (const replica of replicas) await replica.as('gateway').Authorize({ key: secretKey });
  });
});
