import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { openHttpEmbedder } from '../../src/embeddings/http-embedder.ts';
import type { AppError } from '../../src/errors.ts';

type Request = { readonly model: string; readonly input: string[] };
type Answer = (request: Request, response: ServerResponse) => void;

describe('embeddings of a server', () => {
  let server: Server;
  let url: string;
  let answer: Answer;
  let requests: { readonly path: string | undefined; readonly key: string | undefined; readonly body: Request }[];

  beforeEach(async () => {
    requests = [];
    answer = (request, response) => send(response, { data: request.input.map(embeddingOf) });
    server = createServer((incoming, response) => void respond(incoming, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(incoming)) as Request;
    requests.push({ path: incoming.url, key: incoming.headers.authorization, body });
    answer(body, response);
  }

  function send(response: ServerResponse, body: unknown): void {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  /** A vector that says how long the text is. */
  function embeddingOf(input: string, index: number) {
    return { index, embedding: [input.length, 100, 0] };
  }

  function open(model = 'multilingual-e5-small') {
    const retry = { tries: 3, firstWaitMs: 1, longestWaitMs: 10 };
    const limits = { timeoutMs: 2_000, concurrency: 2, retry };
    return openHttpEmbedder({ url: `${url}/v1`, model, key: 'secret', dimensions: 3, ...limits });
  }

  async function failureOf(work: Promise<unknown>): Promise<AppError> {
    return await work.then(
      () => expect.fail('it did not fail'),
      (error: unknown) => error as AppError,
    );
  }

  it('texts become vectors of unit length in their order, with the model, the key and the prefix of its kind', async () => {
    answer = (request, response) => send(response, { data: request.input.map(embeddingOf).toReversed() });
    const vectors = await open().embed(['a', 'b'.repeat(91)], 'query');
    expect(vectors.map((vector) => [...vector])).to.deep.equal([vectorOf(8), vectorOf(98)]);
    expect(requests).to.have.length(1);
    expect(requests[0]).to.deep.include({ path: '/v1/embeddings', key: 'Bearer secret' });
    expect(requests[0]?.body).to.deep.include({ model: 'multilingual-e5-small' });
    expect(requests[0]?.body.input[0]).to.equal('query: a');
  });

  function vectorOf(length: number): number[] {
    return [length, 100, 0].map((value) => Math.round((127 * value) / Math.hypot(length, 100)));
  }

  it('more texts than a server takes are several requests', async () => {
    const vectors = await open('bge-m3').embed(
      Array.from({ length: 70 }, (_text, at) => 'x'.repeat(at + 1)),
      'passage',
    );
    expect(requests.map(({ body }) => body.input.length)).to.deep.equal([32, 32, 6]);
    expect(vectors.map((vector) => [...vector])).to.deep.equal(vectors.map((_vector, at) => vectorOf(at + 1)));
  });

  it('vectors in base64 are read as those in numbers', async () => {
    answer = (_request, response) =>
      send(response, { data: [{ embedding: Buffer.from(Float32Array.from([3, 4, 0]).buffer).toString('base64') }] });
    expect([...((await open().embed(['a'], 'passage'))[0] ?? [])]).to.deep.equal([76, 102, 0]);
  });

  it('a server that is away for a moment is asked again, and one that stays away is UNAVAILABLE', async () => {
    let failures = 2;
    answer = (request, response) => {
      if (failures-- > 0) response.writeHead(503).end();
      else send(response, { data: request.input.map(embeddingOf) });
    };
    expect(await open().embed(['a'], 'passage')).to.have.length(1);
    failures = Infinity;
    expect((await failureOf(open().embed(['a'], 'passage'))).code).to.equal('UNAVAILABLE');
    expect(requests).to.have.length(6);
  });

  const wrong: Readonly<Record<string, unknown>> = {
    'too few vectors': { data: [] },
    'no list': { data: 'none' },
    'a vector of another length': { data: [{ index: 0, embedding: [1, 2] }] },
    'texts for numbers': { data: [{ index: 0, embedding: ['1', '2', '3'] }] },
    'a vector without a direction': { data: [{ index: 0, embedding: [0, 0, 0] }] },
    'an index out of range': { data: [{ index: 1e9, embedding: [1, 2, 3] }] },
    'more bytes than its vectors need': { data: [{ index: 0, embedding: [1, 2, 3] }], more: 'x'.repeat(200_000) },
  };
  for (const [what, body] of Object.entries(wrong))
    it(`an answer with ${what} is no vector`, async () => {
      answer = (_request, response) => send(response, body);
      expect((await failureOf(open().embed(['a'], 'passage'))).message).to.include('returned an invalid response');
    });

  it('a call ends with the signal of its caller', async () => {
    answer = () => undefined;
    const abort = new AbortController();
    const failure = failureOf(open().embed(['a'], 'passage', abort.signal));
    setTimeout(() => abort.abort(new Error('the caller left')), 20);
    expect((await failure).message).to.equal('the caller left');
  });
});
