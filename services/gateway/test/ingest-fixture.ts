/** A gateway whose auth and catalog accept every request, for the suites of POST /v1/videos. */
import type { CreateVideoReply } from '@vds/proto/generated/vds/catalog/v1/CreateVideoReply.ts';
import type { CreateVideoRequestOut } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import { expect } from 'chai';
import type { Seen } from '@vds/proto/testing/contract-check';
import { caller, errorOf, servePeers, startGateway, type Gateway } from './gateway.ts';

export const smallest = { source_url: 'https://media.example.com/final.mp4', title: 'Final' };

type Replies = { create: () => CreateVideoReply; remaining: () => number };

/** Registers the hooks of the calling suite; `created` has catalog's requests of the running test. */
export function ingestFixture() {
  const created: CreateVideoRequestOut[] = [];
  const replies: Replies = {
    create: () => ({ accepted: true, daily: { limit: 500, remaining: 498, resetsInSeconds: 60 } }),
    remaining: () => 499,
  };
  const usual = { ...replies };
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let gateway: Gateway;

  before(async () => {
    peers = await serveAccepting(created, replies);
    gateway = await startGateway(peers.port, { privateSources: ['localhost:8443=127.0.0.1'] });
  });
  after(async () => {
    await gateway.close();
    await peers.close();
  });
  beforeEach(() => {
    created.splice(0);
    Object.assign(replies, usual);
  });

  /** Texts and bytes are sent unchanged, everything else as JSON. */
  const send = (body: unknown, headers: Record<string, string> = {}): Promise<Seen> =>
    gateway.callAs('k', 'POST', '/v1/videos', {
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  const expectRejection = async (
    body: unknown,
    message: string | RegExp,
    headers: Record<string, string> = {},
  ): Promise<void> => {
    const seen = await send(body, headers);
    expect(seen.status).to.equal(400);
    expect(errorOf(seen).code).to.equal('invalid_input');
    if (typeof message === 'string') expect(errorOf(seen).message).to.equal(message);
    else expect(errorOf(seen).message).to.match(message);
    expect(seen.headers.get('x-ratelimit-daily-remaining')).to.equal('499');
    expect(created).to.deep.equal([]);
  };
  return { created, replies, send, expectRejection };
}

function serveAccepting(created: CreateVideoRequestOut[], replies: Replies) {
  return servePeers({
    auth: { Authorize: async () => caller },
    catalog: {
      CreateVideo: async (request) => {
        created.push(request);
        return replies.create();
      },
      GetDailyCount: async ({ budgetId, dailyLimit, publisherId }) => {
        expect([budgetId, dailyLimit, publisherId]).to.deep.equal(['bud1', 500, caller.publisherId]);
        return { limit: 500, resetsInSeconds: 9, remaining: replies.remaining() };
      },
    },
  });
}
