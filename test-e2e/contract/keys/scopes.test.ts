/**
 * A key may do exactly what its scopes permit, for every operation and gateway, and a rejected request has no effect.
 */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { rawCall } from '../../probes/raw-call.ts';
import { outcomeOf, sharedContract, type Contract } from '../../harness/host/shared-contract.ts';

const body = JSON.stringify({ source_url: 'https://example.com/a.mp4', title: 'Scopes' });

describe('the scopes of a key', function () {
  this.timeout(300_000);

  let contract: Contract;
  let publisherId: string;
  let all: string;
  before(async () => {
    contract = await sharedContract();
    publisherId = await contract.newPublisher('Scopes');
    all = (await contract.newKey(publisherId)).secretKey;
  });

  const ready = async (): Promise<string> => {
    const partner = contract.partner(all);
    for (;;) {
      const id = await partner.submit('https://example.com/a.mp4');
      if (outcomeOf(id) !== 'ready') continue;
      await until(async () => (await partner.get(id)).status === 'ready', { what: `${id} is ready`, capMs: 200_000 });
      return id;
    }
  };
  const operations = (id: string): readonly (readonly [string, string])[] => [
    ['GET', `/v1/videos/${id}`],
    ['POST', `/v1/videos/${id}/archive`],
    ['POST', `/v1/videos/${id}/republish`],
    ['POST', '/v1/videos'],
    ['DELETE', `/v1/videos/${id}`],
  ];
  /** The responses to every operation in order, at one gateway. */
  const perform = async (scopes: readonly string[], id: string, gateway: number): Promise<string[]> => {
    const { secretKey } = await contract.newKey(publisherId, { scopes });
    const replies: string[] = [];
    for (const [method, path] of operations(id)) {
      const answer = await rawCall(`${contract.gateways[gateway]}${path}`, {
        method,
        authorization: `Bearer ${secretKey}`,
        ...(path === '/v1/videos' && { body }),
      });
      replies.push(answer.reply);
      if (answer.status === 403) expect(answer.text).to.contain(method === 'GET' ? 'videos:read' : 'videos:write');
    }
    return replies;
  };
  const count = async (): Promise<number> => {
    const pool = contract.stack.adminPool('catalog');
    const { rows } = await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM videos WHERE publisher_id = $1', [
      publisherId,
    ]);
    return rows[0]?.n ?? 0;
  };

  it('every operation needs credentials, the scope, and a video of one’s own: 401, 403 and 404 at each', async () => {
    const id = await ready();
    const absent = id.replace(/.{8}$/, '00000000');
    const other = (await contract.newKey(await contract.newPublisher('Other'))).secretKey;
    const keyFor = async (scopes: readonly string[]) => (await contract.newKey(publisherId, { scopes })).secretKey;
    const [reader, writer] = [await keyFor(['videos:read']), await keyFor(['videos:write'])];
    const replyTo = async (method: string, path: string, authorization?: string) =>
      (
        await rawCall(`${contract.gateways[0]}${path}`, {
          method,
          ...(authorization !== undefined && { authorization }),
          ...(path === '/v1/videos' && { body }),
        })
      ).reply;
    for (const [method, path] of operations(id)) {
      const what = `${method} ${path}`;
      expect(await replyTo(method, path), what).to.equal('401 missing_credentials');
      expect(await replyTo(method, path, `Bearer ${all.slice(0, -1)}`), what).to.equal('401 invalid_credentials');
      const without = method === 'GET' ? writer : reader;
      expect(await replyTo(method, path, `Bearer ${without}`), what).to.equal('403 insufficient_scope');
      if (path === '/v1/videos') continue;
      expect(await replyTo(method, path, `Bearer ${other}`), what).to.equal('404 not_found');
      expect(await replyTo(method, path.replace(id, absent), `Bearer ${all}`), what).to.equal('404 not_found');
    }
  });

  it('a key with only the read scope may read; everything else is rejected without effect', async () => {
    const id = await ready();
    const before = [await contract.partner(all).get(id), await count()];
    const rejected = '403 insufficient_scope';
    for (const gateway of [0, 1, 2])
      expect(await perform(['videos:read'], id, gateway)).to.deep.equal([
        '200 ready',
        rejected,
        rejected,
        rejected,
        rejected,
      ]);
    expect([await contract.partner(all).get(id), await count()]).to.deep.equal(before);
  });

  it('a key with only the write scope may do everything but read', async () => {
    for (const gateway of [0, 1, 2]) {
      const [id, before] = [await ready(), await count()];
      expect(await perform(['videos:write'], id, gateway)).to.deep.equal([
        '403 insufficient_scope',
        '200 archived',
        '200 public',
        '202 processing',
        '200 deleted',
      ]);
      expect(await count()).to.equal(before + 1);
    }
  });

  it('a key with both scopes may do everything', async () => {
    expect(await perform(['videos:read', 'videos:write'], await ready(), 1)).to.deep.equal([
      '200 ready',
      '200 archived',
      '200 public',
      '202 processing',
      '200 deleted',
    ]);
  });
});
