/** Well-formed keys that nobody issued: what they cost auth's database, and whether partners notice. */
import { connect, createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { expect } from 'chai';
import {
  formatApiKey,
  KEY_ID_CHARACTERS,
  makeApiKey,
  parseApiKey,
  RANDOM_SECRET_CHARACTERS,
} from '../src/domain/api-key.ts';
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

function keyWithWrongSecret(key: string): string {
  return formatApiKey(makeApiKey(parseApiKey(key)?.id ?? '', randomBase62(RANDOM_SECRET_CHARACTERS)));
}

/** Milliseconds until the work is done. */
async function msOf(work: Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work;
  return performance.now() - from;
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

describe('strangers at auth', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let proxy: Awaited<ReturnType<typeof openCountingProxy>>;
  let service: RunningAuth;
  let gateway: ReturnType<RunningAuth['as']>;
  let publisherId: string;
  const secrets = authSecrets();

  before(async () => {
    database = await authDatabase();
    proxy = await openCountingProxy(new URL(database.url));
    service = await startAuth({ ...database, url: proxy.url }, secrets, { TIME_SCALE: 'cleanupEvery=1h' });
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

  it('one made-up key that is sent again and again costs the database a few statements a second', async () => {
    const key = madeUpKey();
    const [before, from] = [proxy.count(), performance.now()];
    await Promise.all(Array.from({ length: 500 }, () => expectRejected(gateway.Authorize({ key }))));
    expect(proxy.count() - before).to.be.below(10 + (6 * (performance.now() - from)) / 1_000);
  });

  it('the first requests with 200 new keys, one after the other, take as long as the second ones', async () => {
    const keys: string[] = [];
    for (let made = 0; made < 200; made += 1) keys.push(await issue());
    const times = async (): Promise<number[]> => {
      const taken: number[] = [];
      for (const key of keys) taken.push(await msOf(gateway.Authorize({ key })));
      return taken.toSorted((a, b) => a - b);
    };
    const [first, second] = [await times(), await times()];
    const shown = [first, second].map((taken) => `${middle(taken).toFixed(1)} (at most ${taken.at(-1)?.toFixed(0)})`);
    console.log(`      first and second requests with 200 keys: ${shown.join(', ')} ms`);
    expect(first.filter((ms) => ms > 100)).to.have.length.below(10);
    expect(middle(first)).to.be.below(3 * middle(second) + 5);
  });

  it('a key that does not exist is rejected as fast as a wrong secret of one in use, both of a few and of many', async () => {
    const used = await issue();
    await gateway.Authorize({ key: used });
    const reject = async (key: string): Promise<number> => msOf(expectRejected(gateway.Authorize({ key })));
    const few: number[][] = [[], []];
    for (let times = 0; times < 10; times += 1)
      for (const [kind, key] of [madeUpKey(), keyWithWrongSecret(used)].entries()) {
        await sleep(220);
        few[kind]?.push(await reject(key));
      }
    const medianOf = (taken: readonly number[]): number => middle(taken.toSorted((one, other) => one - other));
    const [unknown = 0, wrong = 0] = few.map(medianOf);
    expect(Math.abs(unknown - wrong)).to.be.below(50);
    // A busy machine delays one kind in a round; if only one kind waited, they would be 200 ms apart in every round.
    const apart: number[] = [];
    for (let round = 0; round < 5 && !apart.some((ms) => ms < 100); round += 1) {
      // Mixed, as they then wait for the same token.
      const mixed = Array.from({ length: 60 }, () => [reject(madeUpKey()), reject(keyWithWrongSecret(used))] as const);
      const many = await Promise.all([0, 1].map((kind) => Promise.all(mixed.flatMap((pair) => pair[kind] ?? []))));
      const [manyUnknown = 0, manyWrong = 0] = many.map(medianOf);
      apart.push(Math.abs(manyUnknown - manyWrong));
    }
    console.log(
      `      few: ${unknown.toFixed(1)} and ${wrong.toFixed(1)} ms; 60 of each at once: ${apart.map((ms) => ms.toFixed(1)).join(', ')} ms apart`,
    );
    expect(Math.min(...apart)).to.be.below(100);
  });

  it('after a restart a partner is answered before a flood of made-up keys that came first', async () => {
    const keys = [await issue(), await issue(), await issue(), await issue(), await issue()];
    const restarted = await startAuth(database, secrets, { TIME_SCALE: 'cleanupEvery=1h' });
    try {
      const caller = restarted.as('gateway');
      let firsts = 0;
      for (const key of keys) {
        let rejected = 0;
        const flood = Array.from({ length: 60 }, async () => {
          await expectRejected(caller.Authorize({ key: madeUpKey() }));
          rejected += 1;
        });
        expect((await caller.Authorize({ key })).publisherId).to.equal(publisherId);
        if (rejected < 30) firsts += 1;
        await Promise.all(flood);
      }
      // Not always on a busy machine, but never by waiting with the flood.
      expect(firsts).to.be.above(0);
    } finally {
      await restarted.stop();
    }
  });

  it('a key that was just issued is accepted at once', async () => {
    await expectRejected(gateway.Authorize({ key: madeUpKey() }));
    for (let times = 0; times < 5; times += 1) {
      const key = await issue();
      expect((await gateway.Authorize({ key })).publisherId).to.equal(publisherId);
    }
  });
});
