/**
 * Fake engines for tests and benches: one HTTP server that implements OpenAI's `/v1/audio/transcriptions` and
 * `/v1/audio/translations` and LibreTranslate's `/translate` and `/languages`. Responses are deterministic; faults are injected on request.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createFaultRules, playFault, type EngineRequest, type Endpoint, type Fault, type Trouble } from './faults.ts';
import { defaultWords, verboseJson, wavSeconds, type SpokenWord, type Shape } from './transcripts.ts';
import { translateLine, defaultLanguages } from './translated-lines.ts';

export type EngineOptions = {
  /** Delay before every response. */
  readonly delayMs?: number;
  /** The spoken words of every file; by default two sentences, repeated. Words beyond a file's end are left out. */
  readonly words?: readonly SpokenWord[];
  /** The English of every file; by default that of `words`. */
  readonly english?: readonly SpokenWord[];
  /** The spoken words of files by the SHA-256 of their bytes, in hexadecimal; takes precedence over `words`. */
  readonly wordsByFile?: Readonly<Record<string, readonly SpokenWord[]>>;
  readonly shape?: Shape;
  /** What a sentence becomes in a language; by default a line that tests recognise. */
  readonly translate?: (sentence: string, target: string) => string;
  /** Codes of the supported languages; each is translated into every other. */
  readonly languages?: readonly string[];
  /** 0, the default: any free port. */
  readonly port?: number;
};

export type RecordedCall = EngineRequest & {
  readonly authorization: string | undefined;
  /** The form's fields without the file, or the JSON body. */
  readonly fields: Readonly<Record<string, unknown>>;
};

type Call = { readonly seen: RecordedCall; readonly answer: (fault: Fault | undefined) => unknown };
export type Engines = Awaited<ReturnType<typeof startEngines>>;

/** Starts the server on 127.0.0.1. */
export async function startEngines(options: EngineOptions = {}) {
  const troubles = createFaultRules();
  const callLog = createCallLog();
  const gate = createGate();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request, options);
    if (!call) return void response.writeHead(404).end();
    callLog.enter(call.seen, response);
    await gate.pass(call.seen.endpoint);
    if (options.delayMs !== undefined) await wait(options.delayMs, undefined, { ref: false });
    const fault = troubles.next(call.seen);
    if (await playFault(fault, response)) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(call.answer(fault)));
  };
  const server = createServer((request, response) => {
    // A request that matches neither contract is a bug of the caller: report it.
    serve(request, response).catch((error: unknown) => void response.writeHead(400).end(String(error)));
  });
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    /** The settings with which a stack uses these engines. */
    environment: {
      SPEECH_ENGINE: 'openai',
      SPEECH_URL: `${url}/v1`,
      SPEECH_MODEL: 'whisper-1',
      TRANSLATION_ENGINE: 'libretranslate',
      TRANSLATION_URL: url,
    },
    trouble: (trouble: Trouble): void => troubles.add(trouble),
    /** Clears all faults and releases held responses. */
    heal: (): void => {
      troubles.clear();
      gate.open();
    },
    hold: gate.hold,
    /** Every call so far, oldest first. */
    calls: (): readonly RecordedCall[] => callLog.calls,
    /** How many calls of a kind there were so far. */
    count: (endpoint: Endpoint): number => callLog.calls.filter((call) => call.endpoint === endpoint).length,
    /** The most concurrent calls of a kind so far. */
    mostAtOnce: (endpoint: Endpoint): number => callLog.most[endpoint],
    close: (): Promise<void> => close(server),
    /** Listens again, at the same address, after `close`. */
    reopen: (): Promise<void> => listen(server, port),
  };
}

/** Records calls and their concurrency. */
function createCallLog() {
  const calls: RecordedCall[] = [];
  const none = { speech: 0, english: 0, translation: 0, languages: 0 };
  const running: Record<Endpoint, number> = { ...none };
  const most: Record<Endpoint, number> = { ...none };
  return {
    calls,
    most,
    /** Counts a call as active until its response ends, however it ends. */
    enter: (seen: RecordedCall, response: ServerResponse): void => {
      const { endpoint } = seen;
      calls.push(seen);
      running[endpoint] += 1;
      most[endpoint] = Math.max(most[endpoint], running[endpoint]);
      response.once('close', () => void (running[endpoint] -= 1));
    },
  };
}

/** Holds responses until the test releases them. */
function createGate() {
  const held = new Map<Endpoint, PromiseWithResolvers<void>>();
  const open = (): void => {
    for (const { resolve } of held.values()) resolve();
    held.clear();
  };
  return {
    open,
    /** Holds the responses of these endpoints until the returned function is called. */
    hold: (...endpoints: readonly Endpoint[]): (() => void) => {
      for (const endpoint of endpoints) held.set(endpoint, Promise.withResolvers<void>());
      return open;
    },
    pass: async (endpoint: Endpoint): Promise<void> => held.get(endpoint)?.promise,
  };
}

async function readCall(request: IncomingMessage, options: EngineOptions): Promise<Call | undefined> {
  const endpoint = `${request.method} ${request.url}`;
  if (endpoint === 'POST /v1/audio/transcriptions') return readSpeech(request, options, 'speech');
  if (endpoint === 'POST /v1/audio/translations')
    return readSpeech(request, options.english ? { words: options.english } : options, 'english');
  if (endpoint === 'POST /translate') return readTranslation(request, options);
  return endpoint === 'GET /languages' ? readLanguages(request, options) : undefined;
}

async function readSpeech(
  request: IncomingMessage,
  options: EngineOptions,
  endpoint: 'speech' | 'english',
): Promise<Call> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(await bodyOf(request)), { headers }).formData();
  const upload = form.get('file');
  const file = Buffer.from(upload instanceof File ? await upload.arrayBuffer() : new ArrayBuffer());
  const fields = Object.fromEntries(
    [...form.keys()].filter((key) => key !== 'file').map((key) => [key, form.getAll(key)]),
  );
  const requested = form.get('language');
  const language = typeof requested === 'string' ? requested : '';
  const seconds = wavSeconds(file);
  const spoken = options.wordsByFile?.[createHash('sha256').update(file).digest('hex')] ?? options.words;
  const words = (spoken ?? defaultWords(seconds)).filter(({ end }) => end <= seconds + 0.5);
  return {
    seen: { endpoint, language, sentences: 0, fields, authorization: request.headers.authorization },
    answer: (fault) => {
      const other = language === 'de' ? 'french' : 'german';
      const returned = fault?.kind === 'wrong-language' ? other : language || 'en';
      return verboseJson(fault?.kind === 'empty' ? [] : words, returned, seconds, options.shape ?? 'words');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readTranslation(request: IncomingMessage, { translate = translateLine }: EngineOptions): Promise<Call> {
  const fields = JSON.parse((await bodyOf(request)).toString('utf8')) as Readonly<Record<string, unknown>>;
  const { q, target } = fields;
  const language = String(target);
  const sentences = (Array.isArray(q) ? q : [q]).map(String);
  return {
    seen: {
      ...{ endpoint: 'translation', language, sentences: sentences.length, fields },
      authorization: request.headers.authorization,
    },
    answer: (fault) => {
      const texts = sentences.map((sentence) => (fault?.kind === 'empty' ? '' : translate(sentence, language)));
      const returned = fault?.kind === 'wrong-count' ? texts.slice(1) : texts;
      return { translatedText: Array.isArray(q) ? returned : returned[0] };
    },
  };
}

function readLanguages(request: IncomingMessage, { languages = defaultLanguages }: EngineOptions): Call {
  return {
    seen: {
      endpoint: 'languages',
      language: '',
      sentences: 0,
      fields: {},
      authorization: request.headers.authorization,
    },
    answer: () => offerOf(languages),
  };
}

/** The response of `/languages` when each of these is translated into every other. */
export function offerOf(languages: readonly string[]) {
  return languages.map((code) => ({ code, name: code, targets: languages }));
}

/** @param port 0: any free port */
function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
