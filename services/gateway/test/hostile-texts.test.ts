/** Hostile texts where a request takes no free text: each is refused by its field's name or finds nothing. */
import { expect } from 'chai';
import { hostileTexts, named } from '@vds/testkit/hostile-texts';
import { serveAcceptingPeers, startGateway, type Gateway } from './gateway.ts';
import { exchange } from './hostile/exchange.ts';
import { json, post } from './hostile/request.ts';

type Refusal = { readonly error?: { readonly code: string; readonly message: string; readonly param?: string } };

const texts = hostileTexts(Number(process.env['VDS_HOSTILE_SEED'] ?? 1));
const target = { key: 'k', id: '01jd3m8q0c7e5b9x2k4n6p8rst' };
const valid = { source_url: 'https://media.example.com/final.mp4', title: 'x' };

describe('a hostile text', function () {
  this.timeout(60_000);
  let peers: Awaited<ReturnType<typeof serveAcceptingPeers>>;
  let gateway: Gateway;
  let created = 0;
  before(async () => {
    peers = await serveAcceptingPeers(() => (created += 1));
    gateway = await startGateway(peers.port);
  });
  after(async () => {
    await gateway.close();
    await peers.close();
  });
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json' };
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${gateway.port}${path}`, { headers, ...init });
  const refusal = async (body: string): Promise<NonNullable<Refusal['error']>> => {
    const response = await send('/v1/videos', { method: 'POST', body });
    expect(response.status).to.equal(400);
    return ((await response.json()) as Refusal).error ?? expect.fail('no error');
  };

  it('a hostile text is no sport, category, language or address of a source or a picture', async () => {
    const fields = ['sport', 'category', 'language_code', 'source_url', 'thumbnail_url'];
    for (const one of texts) {
      const refusals = fields.map((field) => refusal(JSON.stringify({ ...valid, [field]: one.text })));
      for (const [index, { code, message, param = '' }] of (await Promise.all(refusals)).entries())
        expect([code, param, message.startsWith(param)], named(one)).to.deep.equal([
          'invalid_input',
          fields[index],
          true,
        ]);
    }
    expect(created).to.equal(0);
  });

  it('a hostile text as the name of a member is ignored, and in a path or a query it finds nothing', async () => {
    for (const one of texts) {
      const video = JSON.stringify({ ...valid, source_url: 'no address' });
      const { param } = await refusal(`${video.slice(0, -1)},${JSON.stringify(one.text)}:{}}`);
      expect(param, named(one)).to.equal('source_url');
      const path = encodeURIComponent(one.text.toWellFormed()).slice(0, 4_000);
      for (const address of [`/v1/videos/${path}`, `/v1/videos/${path}/archive`, `/v1/${path}`]) {
        const { status, headers: answered } = await send(`${address}?cursor=${path}`);
        expect([status, answered.get('x-request-id')?.slice(0, 4)], named(one)).to.deep.equal([404, 'req_']);
      }
    }
  });

  it('a hostile text in a header is taken or refused, is never the id of the request, and never comes back', async () => {
    const body = JSON.stringify({ ...valid, source_url: 'no address' });
    const names = ['idempotency-key', 'x-request-id', 'traceparent', 'user-agent', 'x-forwarded-for'];
    for (const [index, one] of texts.entries()) {
      const header = `${names[index % names.length]}: ${one.text.slice(0, 20_000)}\r\n`;
      const length = `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n`;
      const bytes = post(target, json + length + header, body);
      const { received } = await exchange(gateway.port, { name: '', parts: [bytes], responses: [], next: 'closed' });
      const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
      expect(statuses, named(one)).not.to.be.empty;
      expect(new Set([400, 401, 404, ...statuses]).size, named(one)).to.equal(3);
      if (one.text.length >= 8) expect(received.includes(one.text), named(one)).to.equal(false);
    }
  });
});
