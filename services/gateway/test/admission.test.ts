import type { AuthorizeReply } from '@vds/proto/generated/vds/auth/v1/AuthorizeReply.ts';
import { AppError } from '@vds/chassis/errors';
import { expect } from 'chai';
import { caller, errorOf, servePeers, startGateway, type Gateway } from './gateway.ts';

const id = 'vid_01jd3m8q0c7e5b9x2k4n6p8rst';
const replies: Readonly<Record<string, AuthorizeReply>> = {
  good: caller,
  reader: { ...caller, scopes: ['videos:read'] },
  writer: { ...caller, scopes: ['videos:write'] },
  limited: { ...caller, minute: { admitted: false, limit: 60, remaining: 0, retryAfterSeconds: 17 } },
  soon: { ...caller, minute: { admitted: false, limit: 60, remaining: 0, retryAfterSeconds: 0 } },
};

describe('admission', () => {
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let gateway: Gateway;
  const authorized: string[] = [];
  const created: unknown[] = [];

  before(async () => {
    peers = await servePeers({
      auth: {
        Authorize: async ({ key }) => {
          authorized.push(key);
          if (key === 'broken') throw new Error('database on fire at 10.1.2.3');
          const reply = replies[key];
          if (!reply) throw new AppError('UNAUTHENTICATED', 'unknown key', { reason: 'invalid_credentials' });
          return reply;
        },
      },
      catalog: {
        GetVideo: async () => {
          throw new AppError('NOT_FOUND', 'no');
        },
        CreateVideo: async (request) => {
          created.push(request);
          return { accepted: true, daily: { limit: 500, remaining: 499, resetsInSeconds: 60 } };
        },
        ArchiveVideo: async ({ id: video }) => ({ id: video, status: 'archived', queued: false }),
      },
    });
    gateway = await startGateway(peers.port);
  });
  after(async () => {
    await gateway.close();
    await peers.close();
  });
  beforeEach(() => authorized.splice(0));

  it('a request without credentials is rejected with missing_credentials', async () => {
    for (const headers of [{}, { authorization: '' }]) {
      const seen = await gateway.call('GET', `/v1/videos/${id}`, { headers });
      expect(seen.status).to.equal(401);
      expect(errorOf(seen).code).to.equal('missing_credentials');
      expect(seen.headers.get('www-authenticate')).to.equal('Bearer');
      expect(seen.headers.has('x-ratelimit-remaining')).to.equal(false);
    }
    expect(authorized).to.deep.equal([]);
  });

  it('every kind of invalid credentials is rejected with the same bytes', async () => {
    const wrong: [string, string][][] = [
      [['authorization', 'Bearer unknown']],
      [['authorization', 'Bearer svc_live_x']],
      [['authorization', 'Basic YTpi']],
      [['authorization', 'Bearer']],
      [['authorization', 'good']],
    ];
    const responses = [];
    for (const headers of wrong) {
      const seen = await gateway.call('GET', `/v1/videos/${id}`, { headers });
      expect(seen.status).to.equal(401);
      expect(seen.headers.get('www-authenticate')).to.equal('Bearer');
      const names = [...seen.headers.keys()].filter((name) => !['date', 'x-request-id'].includes(name));
      responses.push(
        JSON.stringify([
          errorOf(seen).code,
          errorOf(seen).message,
          names.map((name) => [name, seen.headers.get(name)]),
        ]),
      );
    }
    expect(new Set(responses).size).to.equal(1);
    expect(responses[0]).to.include('invalid_credentials');
  });

  it('the authorization scheme is case-insensitive', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer'])
      expect(
        (await gateway.call('GET', `/v1/videos/${id}`, { headers: { authorization: `${scheme} good` } })).status,
      ).to.equal(404);
    expect(authorized).to.deep.equal(['good', 'good', 'good']);
  });

  it('every response to a valid key has x-ratelimit-remaining', async () => {
    const responses = await Promise.all([
      gateway.callAs('good', 'GET', `/v1/videos/${id}`),
      gateway.callAs('good', 'GET', '/v1/videos/nonsense'),
      gateway.callAs('good', 'POST', `/v1/videos/${id}/archive`),
      gateway.callAs('reader', 'POST', `/v1/videos/${id}/archive`),
      gateway.callAs('good', 'POST', `/v1/videos/${id}/republish`),
    ]);
    expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 200, 403, 500]);
    for (const { headers } of responses) expect(headers.get('x-ratelimit-remaining')).to.equal('59');
  });

  it('a key over its minute limit is rejected before its scope and body are checked', async () => {
    const seen = await gateway.callAs('limited', 'POST', '/v1/videos', { body: 'not json' });
    expect(seen.status).to.equal(429);
    expect(errorOf(seen).code).to.equal('rate_limited');
    expect(seen.headers.get('retry-after')).to.equal('17');
    expect(seen.headers.get('x-ratelimit-remaining')).to.equal('0');
    expect(seen.headers.has('x-ratelimit-daily-remaining')).to.equal(false);
  });

  it('retry-after is at least one second', async () => {
    expect((await gateway.callAs('soon', 'GET', `/v1/videos/${id}`)).headers.get('retry-after')).to.equal('1');
  });

  it('a key without the scope is rejected before the body is read', async () => {
    const post = await gateway.callAs('reader', 'POST', '/v1/videos', { body: 'not json' });
    const get = await gateway.callAs('writer', 'GET', `/v1/videos/${id}`);
    for (const seen of [post, get]) {
      expect(seen.status).to.equal(403);
      expect(errorOf(seen).code).to.equal('insufficient_scope');
    }
    expect(errorOf(post).message).to.include('videos:write');
    expect(errorOf(get).message).to.include('videos:read');
    expect(created).to.deep.equal([]);
  });

  it('a failure of auth is a 500 without internal details', async () => {
    const seen = await gateway.callAs('broken', 'GET', `/v1/videos/${id}`);
    expect(seen.status).to.equal(500);
    expect(errorOf(seen).code).to.equal('internal_error');
    expect(JSON.stringify(seen.body)).not.to.match(/fire|10\.1|rpc|grpc|auth could/i);
  });

  it('a rejected service token is a 500, never the partner’s 401', async () => {
    const rejected = await startGateway(peers.port, { rpcToken: 'wrong' });
    try {
      expect((await rejected.callAs('good', 'GET', `/v1/videos/${id}`)).status).to.equal(500);
    } finally {
      await rejected.close();
    }
  });

  it('no key is ever logged', async () => {
    await gateway.callAs('svc_live_verysecret', 'GET', `/v1/videos/${id}`);
    expect(gateway.lines.length).to.be.greaterThan(0);
    expect(JSON.stringify(gateway.lines)).not.to.include('verysecret');
  });
});
