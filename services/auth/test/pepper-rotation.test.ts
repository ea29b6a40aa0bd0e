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
  expectRefused,
  poolOf,
  startAuth,
  type RunningAuth,
} from './fixtures.ts';

function pepper(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}
const [one, two] = [pepper('one'), pepper('two')];
const REPLICAS = 3;

describe('a pepper is replaced, one replica of three after the other, while requests run', function () {
  this.timeout(180_000);

  const secrets = authSecrets();
  const replicas: RunningAuth[] = [];
  const seen = { asked: 0, refused: 0, unanswered: 0 };
  const stopping = new AbortController();
  let database: TestDatabase;
  let db: pg.Pool;
  let ports: readonly number[];
  let busy: readonly string[];
  let woken: string;
  let sleeper: string;
  let lanes: Promise<unknown>;
  let gateway: ReturnType<typeof openGateway>;

  const openGateway = () =>
    rpcClient<AuthServiceClient>(auth.AuthService, {
      target: `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
      config: clientConfig('gateway'),
      idempotent: ['Authorize'],
    });
  const start = async (place: number, peppers: string): Promise<void> => {
    await replicas[place]?.stop();
    replicas[place] = await startAuth(database, { ...secrets, peppers }, { RPC_PORT: String(ports[place]) });
  };
  const roll = async (peppers: string): Promise<void> => {
    for (let place = 0; place < REPLICAS; place++) await start(place, peppers);
  };
  const ask = async (key: string): Promise<void> => {
    seen.asked += 1;
    const failure = await gateway.Authorize({ key }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure instanceof AppError && failure.code === 'UNAUTHENTICATED') seen.refused += 1;
    else if (failure !== undefined) seen.unanswered += 1;
  };
  const lane = async (keys: readonly string[]): Promise<void> => {
    for (let count = 0; !stopping.signal.aborted; count++) await ask(keys[count % keys.length] ?? '');
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
    await Promise.all(ports.map((_, place) => start(place, one)));
    const staff = replicas[0]?.adminAs('vdsctl');
    if (!staff) throw new Error('auth does not run');
    const { id: publisherId } = await staff.CreatePublisher({ name: 'n', organization: 'o' });
    const issue = async (): Promise<string> =>
      (await staff.IssueKey({ publisherId, scopes: BOTH_SCOPES, minuteLimit: 10_000 })).secretKey;
    busy = await Promise.all(Array.from({ length: 6 }, issue));
    [woken, sleeper] = [await issue(), await issue()];
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

  it('first known beside the old one, then used for new hashes: no request is refused, keys move at their use', async () => {
    await roll(`${one},${two}`);
    expect(await hashedWith('two')).to.equal(0);
    await roll(`${two},${one}`);
    await until(async () => (await hashedWith('two')) === busy.length, { what: 'the keys that are used move' });
    await ask(woken);
    await until(async () => (await hashedWith('one')) === 1, { what: 'a key that wakes up moves' });
    expect(seen.refused, 'refused requests').to.equal(0);
  });

  it('then taken away: keys in use go on, and one that was never used since opens nothing any more', async () => {
    await roll(two);
    const before = seen.asked;
    await until(() => seen.asked > before + 50, { what: 'requests after the last restart' });
    for (const replica of replicas) {
      await replica.as('gateway').Authorize({ key: woken });
      await expectRefused(replica.as('gateway').Authorize({ key: sleeper }));
    }
    console.log(
      `      ${seen.asked} requests over nine restarts: ${seen.refused} refused, ${seen.unanswered} not answered`,
    );
    expect(seen.refused, 'refused requests').to.equal(0);
  });

  it('after which the operator gives the holder of such a key a new one by rotating it', async () => {
    const staff = replicas[1]?.adminAs('vdsctl');
    const keyId = sleeper.slice('svc_live_'.length, 'svc_live_'.length + 24);
    const { secretKey = '' } = (await staff?.RotateKey({ keyId })) ?? {};
    for (const replica of replicas) await replica.as('gateway').Authorize({ key: secretKey });
  });
});
