/** Well-formed keys that nobody issued: what they cost auth's database, and whether partners notice. */
import { connect, createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { expect } from 'chai';
import { formatApiKey, KEY_ID_CHARACTERS, makeApiKey, RANDOM_SECRET_CHARACTERS } from '../src/domain/api-key.ts';
import { randomBase62 } from '../src/outbound/random-base62.ts';
import { authDatabase, authSecrets, expectRejected, failureOf, startAuth, type RunningAuth } from './fixtures.ts';

/** A way to the database that counts statements: Execute and Query of PostgreSQL's protocol. */
async function openCountingProxy(target: URL) {
  let statements = 0;
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    let rest = Buffer.alloc(0);
    let isStarted = false;
    near.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      // The first message has no type; every other one is a type, its length and as many bytes.
      for (;;) {
        const at = isStarted ? 1 : 0;
        if (rest.length < at + 4 || rest.length < at + rest.readInt32BE(at)) return;
        if (isStarted && 'EQ'.includes(String.fromCharCode(rest[0] ?? 0))) statements += 1;
        rest = rest.subarray(at + rest.readInt32BE(at));
        isStarted = true;
      }
    });
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: String(url), count: () => statements, close: () => void server.close() };
}

function madeUpKey(): string {
  return formatApiKey(makeApiKey(randomBase62(KEY_ID_CHARACTERS), randomBase62(RANDOM_SECRET_CHARACTERS)));
}

describe('strangers at auth', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let proxy: Awaited<ReturnType<typeof openCountingProxy>>;
  let service: RunningAuth;
  let gateway: ReturnType<RunningAuth['as']>;
  let publisherId: string;

  before(async () => {
    database = await authDatabase();
    proxy = await openCountingProxy(new URL(database.url));
    service = await startAuth({ ...database, url: proxy.url }, authSecrets(), { CLEANUP_EVERY: '1h' });
    gateway = service.as('gateway');
    publisherId = (await service.adminAs('vdsctl').CreatePublisher({ name: 'n', organization: 'o' })).id;
  });
  after(async () => {
    await service.stop();
    proxy.close();
    await database.drop();
  });

  const issue = async (): Promise<string> => {
    const staff = service.adminAs('vdsctl');
    return (await staff.IssueKey({ publisherId, scopes: ['videos:read'], minuteLimit: 1_000 })).secretKey;
  };

  it('3,000 made-up keys cost the database a few statements a second, and keys of partners are answered meanwhile', async () => {
    const used = await issue();
    await gateway.Authorize({ key: used });
    const fresh = await issue();
    const [before, from] = [proxy.count(), performance.now()];
    const flood = Promise.all(Array.from({ length: 3_000 }, () => failureOf(gateway.Authorize({ key: madeUpKey() }))));
    let answered = 0;
    let isOver = false;
    const partner = (async () => {
      for (; !isOver; answered += 1) expect((await gateway.Authorize({ key: used })).publisherId).to.equal(publisherId);
    })();
    expect((await gateway.Authorize({ key: fresh })).publisherId).to.equal(publisherId);
    expect(new Set((await flood).map(({ reason }) => reason))).to.deep.equal(new Set(['invalid_credentials']));
    isOver = true;
    await partner;
    const seconds = (performance.now() - from) / 1_000;
    const cost = proxy.count() - before - answered;
    console.log(`      ${cost} statements for 3,000 keys in ${seconds.toFixed(1)} s; the partner: ${answered} answers`);
    expect(cost).to.be.below(10 + 6 * seconds);
    expect(answered).to.be.above(0);
  });

  it('one made-up key that is sent again and again is asked for once', async () => {
    const key = madeUpKey();
    await expectRejected(gateway.Authorize({ key }));
    const before = proxy.count();
    for (let times = 0; times < 50; times += 1) await expectRejected(gateway.Authorize({ key }));
    expect(proxy.count() - before).to.be.below(10);
  });

  it('a key that was just issued is accepted at once', async () => {
    await expectRejected(gateway.Authorize({ key: madeUpKey() }));
    for (let times = 0; times < 5; times += 1) {
      const key = await issue();
      expect((await gateway.Authorize({ key })).publisherId).to.equal(publisherId);
    }
  });
});
