/** The day's ingest budget of a key (spec §8): what counts and what never counts, over three gateways and catalogs. */
import { expect } from 'chai';
import { send, unknownVideo, submission, type ApiRequest } from '../../probes/timed-request.ts';
import { useLimitsStack } from '../../harness/host/limits-stack.ts';

const [POSTS, BUDGET] = process.env['VDS_LONG'] === '1' ? [2_000, 500] : [400, 100];

const badRequests: readonly ApiRequest[] = [
  { ...submission, body: 'no json' },
  { ...submission, body: { title: 'without an address' } },
  { ...submission, body: { source_url: 'http://media.example.com/a.mp4', title: 'not https' } },
  { ...submission, body: { ...(submission.body as object), sport: 'quidditch' } },
  { ...submission, body: { ...(submission.body as object), language_code: 'en-US' } },
  { ...submission, body: { ...(submission.body as object), padding: 'x'.repeat(256 * 1_024) } },
  { ...submission, headers: { 'content-type': 'text/plain' } },
];

describe('the ingest budget of a day', function () {
  this.timeout(300_000);
  const limits = useLimitsStack();

  it(`the day’s ingest budget accepts exactly ${BUDGET} of ${POSTS} concurrent POSTs over three gateways, one row each`, async () => {
    const { gateways, freshKey, charges } = limits();
    const { key, secretKey } = await freshKey({ dailyLimit: BUDGET });
    const answers = await Promise.all(
      Array.from({ length: POSTS }, (_, n) => send(gateways[n % gateways.length] ?? '', secretKey, submission)),
    );
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ code }) => code === 'daily_ingest_limit');
    expect([accepted.length, refused.length]).to.deep.equal([BUDGET, POSTS - BUDGET]);
    expect(await charges(key.id)).to.deep.equal({ used: BUDGET, videos: BUDGET });
    const left = accepted.map(({ daily }) => Number(daily)).toSorted((a, b) => a - b);
    expect(left).to.deep.equal(Array.from({ length: BUDGET }, (_, n) => n));
    expect(new Set(accepted.map(({ id }) => id)).size).to.equal(BUDGET);
    for (const { status, daily, retryAfter } of refused)
      expect([status, daily, retryAfter]).to.deep.equal([429, '0', String(12 * 3_600)]);
    console.log(`      ${POSTS} at once on a budget of ${BUDGET}: ${accepted.length} × 202, ${refused.length} × 429`);
  });

  it('a 400 of any kind does not use the day’s ingest budget', async () => {
    const { sendRoundRobin, freshKey, charges } = limits();
    const { key, secretKey } = await freshKey({ dailyLimit: 2 });
    for (const request of badRequests) {
      const { status, daily } = await sendRoundRobin(secretKey, request);
      expect([status, daily], JSON.stringify(request).slice(0, 200)).to.deep.equal([400, '2']);
    }
    expect(await charges(key.id)).to.deep.equal({ used: 0, videos: 0 });
    expect((await sendRoundRobin(secretKey, submission)).daily).to.equal('1');
  });

  it('a 429 of the minute or of the day does not use the day’s ingest budget', async () => {
    const { sendRoundRobin, freshKey, keys, charges } = limits();
    const { key, secretKey } = await freshKey({ minuteLimit: 1, dailyLimit: 2 });
    await sendRoundRobin(secretKey, submission);
    for (let n = 0; n < 4; n++) expect((await sendRoundRobin(secretKey, submission)).code).to.equal('rate_limited');
    expect(await charges(key.id)).to.deep.equal({ used: 1, videos: 1 });
    await keys.SetLimits({ keyId: key.id, minuteLimit: 100 });
    expect((await sendRoundRobin(secretKey, submission)).daily).to.equal('0');
    for (let n = 0; n < 4; n++)
      expect((await sendRoundRobin(secretKey, submission)).code).to.equal('daily_ingest_limit');
    expect(await charges(key.id)).to.deep.equal({ used: 2, videos: 2 });
    await keys.SetLimits({ keyId: key.id, dailyLimit: 3 });
    expect((await sendRoundRobin(secretKey, submission)).daily).to.equal('0');
  });

  it('a 403 or a 404 does not use the day’s ingest budget', async () => {
    const { sendRoundRobin, freshKey, charges } = limits();
    const { key, secretKey } = await freshKey({ scopes: ['videos:read'], dailyLimit: 2 });
    expect((await sendRoundRobin(secretKey, submission)).status).to.equal(403);
    expect((await sendRoundRobin(secretKey, { ...submission, path: '/v1/video' })).status).to.equal(404);
    expect(await charges(key.id)).to.deep.equal({ used: 0, videos: 0 });
  });

  it('a 500 does not use the day’s ingest budget, whichever table rejected the write', async () => {
    const { stack, sendRoundRobin, freshKey, charges } = limits();
    const { key, secretKey } = await freshKey({ dailyLimit: 2 });
    const pool = stack.adminPool('catalog');
    const role = new URL(stack.login('catalog').url).username;
    for (const table of ['daily_counts', 'videos', 'stages', 'chassis.outbox']) {
      await pool.query(`REVOKE INSERT ON ${table} FROM ${role}`);
      try {
        const { status, code, daily, minute } = await sendRoundRobin(secretKey, submission);
        expect([status, code, daily], table).to.deep.equal([500, 'internal_error', undefined]);
        expect(Number(minute)).to.be.above(0);
      } finally {
        await pool.query(`GRANT INSERT ON ${table} TO ${role}`);
      }
    }
    expect(await charges(key.id)).to.deep.equal({ used: 0, videos: 0 });
    expect((await sendRoundRobin(secretKey, submission)).daily).to.equal('1');
  });

  it('no operation but POST uses the day’s ingest budget, and a deleted video returns nothing to it', async () => {
    const { sendRoundRobin, freshKey, charges } = limits();
    const { key, secretKey } = await freshKey({ dailyLimit: 3 });
    const path = `/v1/videos/${(await sendRoundRobin(secretKey, submission)).id}`;
    const others: ApiRequest[] = [
      { method: 'GET', path },
      { method: 'POST', path: `${path}/archive` },
      { method: 'POST', path: `${path}/republish` },
      { method: 'DELETE', path },
      unknownVideo,
    ];
    for (const request of [...others, ...others]) {
      const { status, daily } = await sendRoundRobin(secretKey, request);
      expect(status, request.path).to.be.oneOf([200, 202, 404]);
      expect(daily, request.path).to.equal(undefined);
    }
    expect(await charges(key.id)).to.deep.equal({ used: 1, videos: 1 });
    expect((await sendRoundRobin(secretKey, submission)).daily).to.equal('1');
  });

  it('a rotated key keeps its day’s ingest budget and has its own minute', async () => {
    const { sendRoundRobin, freshKey, keys, charges } = limits();
    const { key, secretKey } = await freshKey({ minuteLimit: 3, dailyLimit: 3 });
    await sendRoundRobin(secretKey, submission);
    expect(await sendRoundRobin(secretKey, submission)).to.include({ daily: '1', minute: '1' });
    const rotated = await keys.RotateKey({ keyId: key.id });
    expect((await sendRoundRobin(secretKey, submission)).status).to.equal(401);
    expect(await sendRoundRobin(rotated.secretKey, submission)).to.include({ status: 202, daily: '0', minute: '2' });
    const refused = await sendRoundRobin(rotated.secretKey, submission);
    expect(refused).to.include({ code: 'daily_ingest_limit', daily: '0', minute: '1' });
    expect(await charges(key.id)).to.deep.equal({ used: 3, videos: 3 });
  });
});
