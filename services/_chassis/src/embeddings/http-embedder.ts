/**
 * A server that implements OpenAI's `POST /v1/embeddings`: hosted, or self-hosted such as text-embeddings-inference,
 * vLLM or Ollama.
 */
import { invalidResponse, isRecord, openHttpEngine, type HttpEngineOptions } from '../http/http-engine.ts';
import type { Embedder } from './embedder.ts';
import { cleanText, quantize, withPrefix } from './texts.ts';

/** Texts of a request; servers limit them, text-embeddings-inference to 32. */
const BATCH = 32;
/** Of a number in JSON. */
const MAX_DIGITS = 32;

export type HttpEmbedderOptions = Omit<HttpEngineOptions, 'name'> & {
  readonly model: string;
  readonly dimensions: number;
};

/** `url` may end with `/v1` or not, as both are called a base address. */
export function openHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { model, dimensions, url } = options;
  const call = openHttpEngine({ ...options, name: 'the embeddings server' });
  const path = /\/v1\/*$/.test(url) ? 'embeddings' : 'v1/embeddings';
  const request = async (input: readonly string[], signal: AbortSignal): Promise<readonly Int8Array[]> =>
    await call({
      method: 'POST',
      path,
      isJson: true,
      body: async () => JSON.stringify({ model, input, encoding_format: 'float' }),
      mostBytes: 100_000 + input.length * dimensions * MAX_DIGITS,
      read: (response) => readEmbeddings(response, input.length, dimensions),
      signal,
    });
  return {
    model,
    dimensions,
    embed: async (texts, kind, signal = new AbortController().signal) => {
      const input = texts.map((text) => withPrefix(model, kind, cleanText(text)));
      const vectors: Int8Array[] = [];
      for (let from = 0; from < input.length; from += BATCH)
        vectors.push(...(await request(input.slice(from, from + BATCH), signal)));
      return vectors;
    },
    close: async () => {},
  };
}

/** @throws `invalidResponse` for one that is not as OpenAI documents it */
function readEmbeddings(response: unknown, count: number, dimensions: number): readonly Int8Array[] {
  const data = isRecord(response) ? response['data'] : undefined;
  if (!Array.isArray(data) || data.length !== count) throw invalidResponse(`no ${count} embeddings`);
  const vectors = Array.from({ length: count }, (): Int8Array | undefined => undefined);
  for (const [at, item] of data.entries()) {
    const { index = at, embedding } = isRecord(item) ? item : {};
    const values = numbersOf(embedding);
    if (values?.length !== dimensions) throw invalidResponse(`an embedding is not ${dimensions} numbers`);
    if (!Number.isInteger(index) || !(Number(index) in vectors)) throw invalidResponse('an embedding has a bad index');
    vectors[Number(index)] = quantize(values);
  }
  return vectors.map((vector) => {
    if (vector === undefined) throw invalidResponse('a text has no embedding');
    return vector;
  });
}

/** Floats, or base64 of 32 bit floats in little endian, which some servers answer with whatever they are asked for. */
function numbersOf(embedding: unknown): readonly number[] | undefined {
  if (Array.isArray(embedding)) return embedding.every((value) => typeof value === 'number') ? embedding : undefined;
  if (typeof embedding !== 'string') return undefined;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_value, index) => bytes.readFloatLE(4 * index));
}
