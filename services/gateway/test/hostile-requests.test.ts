import { expectContract } from '@vds/proto/testing/contract-check';
import { expect } from 'chai';
import { serveAcceptingPeers, startGateway, type Gateway } from './gateway.ts';
import { hostileBodies } from './hostile/bodies.ts';
import { hostileConnections } from './hostile/connections.ts';
import { exchange, statusAndCode } from './hostile/exchange.ts';
import { hostileFraming } from './hostile/framing.ts';
import { hostileHeads } from './hostile/heads.ts';
import { hostilePaths } from './hostile/paths.ts';
import { MARK, type Hostile } from './hostile/request.ts';
import type { RawResponse } from './raw.ts';

const target = { key: 'k', id: '01jd3m8q0c7e5b9x2k4n6p8rst' };
/** Internals that no response may reveal: files, libraries, stack traces. */
const internals =
  /node:|node_modules|\.ts\b|\.js\b|express|ajv|grpc|postgres|prisma|stack|\bat \w+\.|unexpected token|econn/i;

type Envelope = { readonly error?: { readonly code: string; readonly request_id: string } };
function bodyOf(response: RawResponse): Envelope {
  return JSON.parse(response.body) as Envelope;
}

describe('a hostile request', () => {
  let peers: Awaited<ReturnType<typeof serveAcceptingPeers>>;
  let gateway: Gateway;
  /** For requests that end with the server's timeout; a busy machine must not end others by it. */
  let impatient: Gateway;
  let created = 0;
  const requestIds: string[] = [];

  before(async () => {
    peers = await serveAcceptingPeers(() => (created += 1), {
      GetVideo: async ({ id }) => {
        expect(id).to.equal(target.id);
        return {
          id,
          title: 'Final',
          languageCode: 'en',
          state: 'VIDEO_STATE_PROCESSING',
          createdAt: '2026-01-02T03:04:05.678Z',
        };
      },
    });
    gateway = await startGateway(peers.port);
    impatient = await startGateway(peers.port, { requestTimeoutMs: 1_500 });
  });
  after(async () => {
    await Promise.all([gateway.close(), impatient.close()]);
    await peers.close();
  });
  beforeEach(() => void (created = 0));

  const expectResponse = (row: Hostile, response: RawResponse): void => {
    if (response.status === 100) return;
    const id = response.headers.get('x-request-id') ?? '';
    expect(id).to.match(/^req_[0-9a-z]{26}$/);
    requestIds.push(id);
    expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(response.headers.has('date')).to.equal(true);
    if (row.bodiless) return expect(response.body).to.equal('') as never;
    const body = bodyOf(response);
    if (response.status >= 300) expect(body.error?.request_id).to.equal(id);
    const [method, path] = row.operation ?? (response.status < 300 ? ['POST', '/v1/videos'] : ['GET', '/nothing']);
    expectContract(method, path, { ...response, body });
  };

  const rows = [hostileFraming, hostileConnections, hostilePaths, hostileBodies].flatMap((table) => table(target));
  for (const row of [...hostileHeads, ...rows])
    it(`${row.name} gets ${row.responses.join(', ')}`, async () => {
      const { responses, after, received } = await exchange((row.slow === true ? impatient : gateway).port, row);
      expect(responses.map(statusAndCode)).to.deep.equal(row.responses);
      for (const response of responses) expectResponse(row, response);
      expect(after.map(statusAndCode)).to.deep.equal(row.next === 'open' ? ['404 not_found'] : []);
      expect(created).to.equal(row.responses.filter((response) => response === '202').length);
      expect(received).not.to.include(row.named ? '<' : MARK.slice(0, 4));
      // Our own texts are plain too.
      expect(received.replaceAll('\r\n', '').replaceAll('<API_KEY>', '')).not.to.match(/\p{Cc}|\p{Cf}|[<>]/u);
      for (const { body } of responses) expect(body.replaceAll(/(req|vid)_\w+/g, '')).not.to.match(internals);
    });

  it('every hostile request gets its own request id', () => {
    expect(requestIds.length).to.be.greaterThan(200);
    expect(new Set(requestIds).size).to.equal(requestIds.length);
  });

  it('hostile requests log no error', () => {
    const lines = [...gateway.lines, ...impatient.lines];
    expect(lines.filter(({ level }) => level === 'error' || level === 'fatal')).to.deep.equal([]);
  });
});
