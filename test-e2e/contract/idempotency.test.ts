/** Opt-in idempotency of POST /v1/videos, and what else the interface adds: pending, entity tags, names of fields. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { expectContract } from '@vds/proto/testing/contract-check';
import { outcomeOf, sharedContract, type Contract } from '../harness/host/shared-contract.ts';
import type { Partner } from '../harness/partner-client.ts';

const video = { source_url: 'https://origin.example.com/once.mp4', title: 'Once', tags: ['a', 'b'] };
type Posted = { readonly status: number; readonly remaining: string | null; readonly body: Record<string, unknown> };

describe('what the interface adds to the specification', function () {
  this.timeout(120_000);
  let contract: Contract;
  let partner: Partner;
  before(async () => {
    contract = await sharedContract();
    const publisherId = await contract.newPublisher('Idempotent');
    partner = contract.partner((await contract.newKey(publisherId)).secretKey);
  });

  /** A video that stays in processing: the shared workers hold it by its id, from the first moment on. */
  const submitHeld = async (sourceUrl: string): Promise<string> => {
    for (;;) {
      const id = await partner.submit(sourceUrl);
      if (outcomeOf(id) === 'processing') return id;
    }
  };
  const post = async (body: unknown, idempotencyKey?: string): Promise<Posted> => {
    const response = await fetch(`${partner.base}/v1/videos`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${partner.key}`,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const { status, headers } = response;
    const answer = { status, headers, body: (await response.json()) as Record<string, unknown> };
    expectContract('POST', '/v1/videos', answer);
    return { status, remaining: headers.get('x-ratelimit-daily-remaining'), body: answer.body };
  };

  it('the same Idempotency-Key and body are one video and one charge, however many requests arrive at once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(video, key)));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 202));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
    const again = await post(`{ "tags": ["a","\\u0062"],"title":"Once", "source_url":"${video.source_url}" }`, key);
    expect(again.body).to.deep.equal(answers[0]?.body);
    const { rows } = await contract.stack
      .adminPool('catalog')
      .query<{ count: string }>(`SELECT count(*) FROM videos WHERE source_url = $1`, [video.source_url]);
    expect(rows[0]?.count).to.equal('1');
    const before = Number((await post({ ...video, source_url: `${video.source_url}?2` })).remaining);
    await post(video, key);
    expect(Number((await post({ ...video, source_url: `${video.source_url}?3` })).remaining)).to.equal(before - 1);
  });

  it('another body with the same Idempotency-Key is 400, and without the header two equal requests are two videos', async () => {
    const key = randomUUID();
    expect((await post(video, key)).status).to.equal(202);
    for (const other of [
      { title: 'Another' },
      { unknown: [1] },
      { unknown: [2] },
      { summary: null },
      { tags: ['b', 'a'] },
    ]) {
      const { status, body, remaining } = await post({ ...video, ...other }, key);
      expect(status, JSON.stringify(other)).to.equal(400);
      expect(body['error']).to.include({ code: 'invalid_input', param: 'Idempotency-Key' });
      expect(remaining).to.match(/^\d+$/);
    }
    const nested = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)},${JSON.stringify(video).slice(1)}`;
    const deep = await post(nested, randomUUID());
    expect(deep.status).to.equal(202);
    const [one, two] = [await post(video), await post(video)];
    expect(one.body['id']).not.to.equal(two.body['id']);
    const malformed = await post(video, 'ü');
    expect(malformed.body).to.have.deep.nested.property('error.param', 'Idempotency-Key');
  });

  it('an Idempotency-Key ends after 24 hours, not before, and then makes one new video however many requests arrive', async () => {
    const key = randomUUID();
    const first = await post(video, key);
    const age = async (interval: string): Promise<void> => {
      const text = 'UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE key = $1';
      await contract.stack.adminPool('catalog').query(text, [key, interval]);
    };
    await age('23:59:50');
    expect((await post(video, key)).body).to.deep.equal(first.body);
    expect((await post({ ...video, title: 'Another' }, key)).status).to.equal(400);
    await age('24:00:00');
    const later = await Promise.all(Array.from({ length: 20 }, () => post({ ...video, title: 'Another' }, key)));
    expect(later.map(({ status }) => status)).to.deep.equal(later.map(() => 202));
    const [id, ...more] = new Set(later.map(({ body }) => body['id']));
    expect([more.length, id === first.body['id']]).to.deep.equal([0, false]);
    expect(later.map(({ remaining }) => remaining)).to.include(String(Number(first.remaining) - 1));
  });

  it('invalid_input names the field in param, and what no field is about has none', async () => {
    const paramOf = async (body: unknown) => (await post(body)).body['error'] as { param?: string };
    expect(await paramOf({ title: 'x' })).to.include({ param: 'source_url' });
    expect(await paramOf({ ...video, tags: ['a', 'x'.repeat(51)] })).to.include({ param: 'tags[1]' });
    expect(await paramOf({ ...video, source_url: 'https://localhost/x' })).to.include({ param: 'source_url' });
    expect(await paramOf([])).not.to.have.property('param');
  });

  it('pending shows a queued archive and a queued delete, and nothing while nothing is queued', async () => {
    const [archived, removed] = [
      await submitHeld(`${video.source_url}?pending`),
      await submitHeld(`${video.source_url}?pending`),
    ];
    expect((await partner.get(archived)).pending).to.equal(null);
    await partner.archive(archived);
    expect((await partner.get(archived)).pending).to.equal('archive');
    await partner.republish(archived);
    expect((await partner.get(archived)).pending).to.equal(null);
    await partner.remove(removed);
    const seen = await partner.get(removed);
    if (seen.status === 'processing') expect(seen.pending).to.equal('delete');
    await until(async () => (await partner.get(removed)).status === 'deleted', { what: 'the delete', capMs: 60_000 });
    expect(await partner.get(removed)).not.to.have.property('pending');
  });

  it('a record that has not changed is 304 without a body for its entity tag, and counts as a request', async () => {
    const id = await submitHeld(`${video.source_url}?tagged`);
    const read = (headers: Record<string, string> = {}) =>
      fetch(`${partner.base}/v1/videos/${id}`, { headers: { authorization: `Bearer ${partner.key}`, ...headers } });
    const first = await read();
    const etag = first.headers.get('etag') ?? '';
    await first.arrayBuffer();
    const same = await read({ 'if-none-match': `"other", W/${etag}` });
    expect([same.status, await same.text()]).to.deep.equal([304, '']);
    const any = await read({ 'if-none-match': '*' });
    expect([any.status, await any.text()]).to.deep.equal([304, '']);
    expect(any.headers.get('etag')).to.be.a('string');
    expect(Number(same.headers.get('x-ratelimit-remaining'))).to.be.below(
      Number(first.headers.get('x-ratelimit-remaining')),
    );
    expect(Number(same.headers.get('x-ratelimit-limit'))).to.be.at.least(60);
    expect((await partner.archive(id)).status).to.equal(202);
    const changed = await read({ 'if-none-match': etag });
    expect(changed.status).to.equal(200);
    expect(changed.headers.get('etag')).not.to.equal(etag);
    const head = await fetch(`${partner.base}/v1/videos/${id}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${partner.key}` },
    });
    expect([head.status, head.headers.get('etag'), await head.text()]).to.deep.equal([
      200,
      changed.headers.get('etag'),
      '',
    ]);
  });
});
