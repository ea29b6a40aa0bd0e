import { expect } from 'chai';
import { expectContract } from '@vds/proto/testing/contract-check';
import { caller, servePeers, startGateway, type Gateway } from './gateway.ts';
import { answersIn, sendRaw, type RawAnswer } from './raw.ts';

const id = '01jd3m8q0c7e5b9x2k4n6p8rst';
const body = JSON.stringify({ source_url: 'https://media.example.com/final.mp4', title: 'Final' });
const credentials = 'Authorization: Bearer k\r\n';
function post(headers: string, text = body): string {
  return `POST /v1/videos HTTP/1.1\r\nHost: h\r\n${credentials}Content-Type: application/json\r\n${headers}\r\n${text}`;
}
const last = 'Connection: close\r\n';

describe('what no HTTP client sends', () => {
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let gateway: Gateway;
  let created = 0;

  before(async () => {
    peers = await servePeers({
      auth: { Authorize: async () => caller },
      catalog: {
        CreateVideo: async () => {
          created += 1;
          return { accepted: true, daily: { limit: 500, remaining: 498, resetsInSeconds: 60 } };
        },
        GetDailyCount: async () => ({ limit: 500, remaining: 499, resetsInSeconds: 60 }),
      },
    });
    gateway = await startGateway(peers.port, { requestTimeoutMs: 1_500 });
  });
  after(async () => {
    await gateway.close();
    await peers.close();
  });
  beforeEach(() => void (created = 0));

  const answersTo = async (...parts: (string | Buffer)[]): Promise<RawAnswer[]> => {
    const answers = answersIn(await sendRaw(gateway.port, parts));
    for (const answer of answers)
      if (answer.status !== 100)
        expectContract('POST', '/other', {
          ...answer,
          body:
            answer.status < 300
              ? { error: { code: 'not_found', message: 'none', request_id: answer.headers.get('x-request-id') } }
              : JSON.parse(answer.body),
        });
    return answers;
  };
  const codeOf = (answer: RawAnswer | undefined): string =>
    (JSON.parse(answer?.body ?? '{}') as { error: { code: string } }).error.code;

  const broken: Readonly<Record<string, string>> = {
    'a request line that is none': 'HELLO\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'a header without a name': 'GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n',
    'a header with a space before its colon': 'GET / HTTP/1.1\r\nHost : h\r\n\r\n',
    'a bare CR in a header': 'GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n',
    'a NUL in a header': 'GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n',
    'a folded header': 'GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n',
    'an unknown HTTP version': 'GET / HTTP/9.9\r\nHost: h\r\n\r\n',
    'two content-lengths': post('Content-Length: 5\r\nContent-Length: 6\r\n'),
    'a content-length beside chunks': post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    'a transfer-encoding that is not chunked': post('Transfer-Encoding: gzip\r\n'),
    'a negative content-length': post('Content-Length: -5\r\n'),
    'headers over 16 KiB': `GET / HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    'a path over 16 KiB': `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
  };
  for (const [what, text] of Object.entries(broken))
    it(`answers ${what} with the envelope, 400, and closes`, async () => {
      const answers = await answersTo(text);
      expect(answers.map(({ status }) => status)).to.deep.equal([400]);
      expect(codeOf(answers[0])).to.equal('invalid_input');
      expect(answers[0]?.headers.get('connection')).to.equal('close');
      expect(created).to.equal(0);
    });

  it('answers a broken chunk with 400 and makes no video', async () => {
    const answers = await answersTo(post('Transfer-Encoding: chunked\r\n', 'zz\r\n'));
    expect(answers.map(({ status }) => status)).to.deep.equal([400]);
    expect(created).to.equal(0);
  });

  it('counts a body that comes in chunks, too', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const answers = await answersTo(post(`Transfer-Encoding: chunked\r\n${last}`, `${chunk.repeat(5)}0\r\n\r\n`));
    expect(answers.map(({ status }) => status)).to.deep.equal([400]);
    expect(answers[0]?.body).to.include('256 KiB');
  });

  it('answers a good request before the broken one that follows it on the same connection', async () => {
    const answers = await answersTo(`${post(`Content-Length: ${body.length}\r\n`)}BROKEN\r\n\r\n`);
    expect(answers.map(({ status }) => status)).to.deep.equal([202, 400]);
  });

  it('answers pipelined requests in their order', async () => {
    const one = post(`Content-Length: ${body.length}\r\n`);
    const answers = await answersTo(
      `${one}GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n${one}GET /end HTTP/1.1\r\nHost: h\r\n${last}\r\n`,
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([202, 404, 202, 404]);
  });

  it('serves HTTP/1.0 without a host', async () => {
    const answers = await answersTo(
      `POST /v1/videos HTTP/1.0\r\n${credentials}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([202]);
  });

  it('refuses HTTP/1.1 without a host, or with two', async () => {
    for (const host of ['', 'Host: a\r\nHost: b\r\n']) {
      const [answer] = await answersTo(`GET /docs HTTP/1.1\r\n${host}${last}\r\n`);
      expect([answer?.status, codeOf(answer)]).to.deep.equal([400, 'invalid_input']);
    }
  });

  it('takes two Authorization headers for invalid credentials, also when they are equal or empty', async () => {
    for (const headers of [
      `${credentials}${credentials}`,
      `Authorization:\r\n${credentials}`,
      'Authorization:\r\nAuthorization:\r\n',
    ]) {
      const [answer] = await answersTo(`GET /v1/videos/${id} HTTP/1.1\r\nHost: h\r\n${headers}${last}\r\n`);
      expect([answer?.status, codeOf(answer)]).to.deep.equal([401, 'invalid_credentials']);
    }
  });

  it('takes two content types for none', async () => {
    const [answer] = await answersTo(
      post(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${last}`),
    );
    expect([answer?.status, codeOf(answer)]).to.deep.equal([400, 'invalid_input']);
  });

  it('knows the absolute form of a target', async () => {
    const [answer] = await answersTo(`GET http://elsewhere/openapi.json HTTP/1.1\r\nHost: h\r\n${last}\r\n`);
    expect(answer?.status).to.equal(200);
  });

  it('has no OPTIONS *, no TRACE, no CONNECT, no upgrade and no method that nobody knows', async () => {
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
          await answersTo(`${line} HTTP/1.1\r\nHost: h\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`)
        ).map(({ status }) => status),
        line,
      ).to.deep.equal([404]);
  });

  it('says 100 Continue only to who may send a body', async () => {
    const waiting = `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n${last}`;
    const received = await sendRaw(gateway.port, [post(waiting, ''), body], 100);
    expect(answersIn(received).map(({ status }) => status)).to.deep.equal([100, 202]);
    const refused = await sendRaw(gateway.port, [`POST /v1/videos HTTP/1.1\r\nHost: h\r\n${waiting}\r\n`]);
    expect(answersIn(refused).map(({ status }) => status)).to.deep.equal([401]);
  });

  it('does not care for other expectations', async () => {
    const answers = await answersTo(post(`Expect: tea\r\nContent-Length: ${body.length}\r\n${last}`));
    expect(answers.map(({ status }) => status)).to.deep.equal([202]);
  });

  it('ends a request whose body or headers do not arrive in time', async () => {
    const [late, silent] = await Promise.all([
      answersTo(post('Content-Length: 1000\r\n', '{')),
      answersTo('GET / HTTP/1.1\r\nHost: h\r\n'),
    ]);
    for (const [answer] of [late, silent])
      expect([answer?.status, codeOf(answer)]).to.deep.equal([400, 'invalid_input']);
    expect(created).to.equal(0);
  });
});
