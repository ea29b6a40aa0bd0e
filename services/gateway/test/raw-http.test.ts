import { expect } from 'chai';
import { expectContract } from '@vds/proto/testing/contract-check';
import { serveAcceptingPeers, startGateway, type Gateway } from './gateway.ts';
import { responsesIn, sendRaw, type RawResponse } from './raw.ts';

const id = '01jd3m8q0c7e5b9x2k4n6p8rst';
const body = JSON.stringify({ source_url: 'https://media.example.com/final.mp4', title: 'Final' });
const credentials = 'Authorization: Bearer k\r\n';
function post(headers: string, text = body): string {
  return `POST /v1/videos HTTP/1.1\r\nHost: h\r\n${credentials}Content-Type: application/json\r\n${headers}\r\n${text}`;
}
const last = 'Connection: close\r\n';

describe('raw HTTP that no client library sends', () => {
  let peers: Awaited<ReturnType<typeof serveAcceptingPeers>>;
  let gateway: Gateway;
  let created = 0;

  before(async () => {
    peers = await serveAcceptingPeers(() => (created += 1));
    gateway = await startGateway(peers.port, { requestTimeoutMs: 1_500 });
  });
  after(async () => {
    await gateway.close();
    await peers.close();
  });
  beforeEach(() => void (created = 0));

  const responsesTo = async (...parts: (string | Buffer)[]): Promise<RawResponse[]> => {
    const responses = responsesIn(await sendRaw(gateway.port, parts));
    for (const response of responses)
      if (response.status !== 100)
        expectContract('POST', '/other', {
          ...response,
          body:
            response.status < 300
              ? { error: { code: 'not_found', message: 'none', request_id: response.headers.get('x-request-id') } }
              : JSON.parse(response.body),
        });
    return responses;
  };
  const codeOf = (response: RawResponse | undefined): string =>
    (JSON.parse(response?.body ?? '{}') as { error: { code: string } }).error.code;

  const broken: Readonly<Record<string, string>> = {
    'an invalid request line': 'HELLO\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'a header without a name': 'GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n',
    'a header with a space before its colon': 'GET / HTTP/1.1\r\nHost : h\r\n\r\n',
    'a bare CR in a header': 'GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n',
    'a NUL in a header': 'GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n',
    'a folded header': 'GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n',
    'an unknown HTTP version': 'GET / HTTP/9.9\r\nHost: h\r\n\r\n',
    'two content-lengths': post('Content-Length: 5\r\nContent-Length: 6\r\n'),
    'a content-length next to chunks': post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    'a transfer-encoding that is not chunked': post('Transfer-Encoding: gzip\r\n'),
    'a negative content-length': post('Content-Length: -5\r\n'),
    'headers over 16 KiB': `GET / HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    'a path over 16 KiB': `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
  };
  for (const [what, text] of Object.entries(broken))
    it(`${what} gets 400 with the envelope, and the connection closes`, async () => {
      const responses = await responsesTo(text);
      expect(responses.map(({ status }) => status)).to.deep.equal([400]);
      expect(codeOf(responses[0])).to.equal('invalid_input');
      expect(responses[0]?.headers.get('connection')).to.equal('close');
      expect(created).to.equal(0);
    });

  it('a broken chunk gets 400 and creates no video', async () => {
    const responses = await responsesTo(post('Transfer-Encoding: chunked\r\n', 'zz\r\n'));
    expect(responses.map(({ status }) => status)).to.deep.equal([400]);
    expect(created).to.equal(0);
  });

  it('the size limit applies to chunked bodies', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const responses = await responsesTo(post(`Transfer-Encoding: chunked\r\n${last}`, `${chunk.repeat(5)}0\r\n\r\n`));
    expect(responses.map(({ status }) => status)).to.deep.equal([400]);
    expect(responses[0]?.body).to.include('256 KiB');
  });

  it('a valid request is answered before the invalid one after it on the same connection', async () => {
    const responses = await responsesTo(`${post(`Content-Length: ${body.length}\r\n`)}BROKEN\r\n\r\n`);
    expect(responses.map(({ status }) => status)).to.deep.equal([202, 400]);
  });

  it('pipelined requests are answered in order', async () => {
    const one = post(`Content-Length: ${body.length}\r\n`);
    const responses = await responsesTo(
      `${one}GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n${one}GET /end HTTP/1.1\r\nHost: h\r\n${last}\r\n`,
    );
    expect(responses.map(({ status }) => status)).to.deep.equal([202, 404, 202, 404]);
  });

  it('HTTP/1.0 without a host is served', async () => {
    const responses = await responsesTo(
      `POST /v1/videos HTTP/1.0\r\n${credentials}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(responses.map(({ status }) => status)).to.deep.equal([202]);
  });

  it('HTTP/1.1 without a host, or with two, is rejected', async () => {
    for (const host of ['', 'Host: a\r\nHost: b\r\n']) {
      const [response] = await responsesTo(`GET /docs HTTP/1.1\r\n${host}${last}\r\n`);
      expect([response?.status, codeOf(response)]).to.deep.equal([400, 'invalid_input']);
    }
  });

  it('two Authorization headers are invalid credentials, even equal or empty ones', async () => {
    for (const headers of [
      `${credentials}${credentials}`,
      `Authorization:\r\n${credentials}`,
      'Authorization:\r\nAuthorization:\r\n',
    ]) {
      const [response] = await responsesTo(`GET /v1/videos/${id} HTTP/1.1\r\nHost: h\r\n${headers}${last}\r\n`);
      expect([response?.status, codeOf(response)]).to.deep.equal([401, 'invalid_credentials']);
    }
  });

  it('two content types are invalid', async () => {
    const [response] = await responsesTo(
      post(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${last}`),
    );
    expect([response?.status, codeOf(response)]).to.deep.equal([400, 'invalid_input']);
  });

  it('the absolute form of a target is served', async () => {
    const [response] = await responsesTo(`GET http://elsewhere/openapi.json HTTP/1.1\r\nHost: h\r\n${last}\r\n`);
    expect(response?.status).to.equal(200);
  });

  it('OPTIONS *, TRACE, CONNECT, upgrades and unknown methods get 404', async () => {
    for (const line of [
      'OPTIONS *',
      'TRACE /v1/videos',
      'CONNECT example.com:443',
      'GET /ws',
      'FOO /v1/videos',
      'QUERY /v1/videos',
    ])
      expect(
        (
          await responsesTo(`${line} HTTP/1.1\r\nHost: h\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`)
        ).map(({ status }) => status),
        line,
      ).to.deep.equal([404]);
  });

  it('100 Continue is sent only to a request that may send a body', async () => {
    const waiting = `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n${last}`;
    const received = await sendRaw(gateway.port, [post(waiting, ''), body], 100);
    expect(responsesIn(received).map(({ status }) => status)).to.deep.equal([100, 202]);
    const rejected = await sendRaw(gateway.port, [`POST /v1/videos HTTP/1.1\r\nHost: h\r\n${waiting}\r\n`]);
    expect(responsesIn(rejected).map(({ status }) => status)).to.deep.equal([401]);
  });

  it('other expectations are ignored', async () => {
    const responses = await responsesTo(post(`Expect: tea\r\nContent-Length: ${body.length}\r\n${last}`));
    expect(responses.map(({ status }) => status)).to.deep.equal([202]);
  });

  it('a request whose headers or body do not arrive in time gets 400', async () => {
    const [late, silent] = await Promise.all([
      responsesTo(post('Content-Length: 1000\r\n', '{')),
      responsesTo('GET / HTTP/1.1\r\nHost: h\r\n'),
    ]);
    for (const [response] of [late, silent])
      expect([response?.status, codeOf(response)]).to.deep.equal([400, 'invalid_input']);
    expect(created).to.equal(0);
  });
});
