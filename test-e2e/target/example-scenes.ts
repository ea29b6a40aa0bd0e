/** For every example of the contract the situation in which the service gives that answer. */
import { connect } from 'node:net';
import { contract, expectContract, type Seen } from '@vds/proto/testing/contract-check';
import { until } from '@vds/testkit/until';
import { bare } from './apps.ts';
import type { ContractStack, KeyOptions } from './contract-stack.ts';
import type { Players, Turns } from './players.ts';

type Call = { readonly method: string; readonly path: string; readonly key?: string; readonly body?: string };
/** Brings the situation about, then asks. */
export type Scene = () => Promise<Seen>;

export const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => operationId !== undefined)
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation, id: operation.operationId })),
);

/** The requests of the contract's own examples. */
export const requests = Object.fromEntries(
  Object.entries(
    operations.find(({ id }) => id === 'createVideo')?.operation.requestBody?.content?.['application/json']?.examples ??
      {},
  ).map(([name, { value }]) => [name, value as Readonly<Record<string, unknown>>]),
);
const smallest = requests['smallest'] ?? {};

const turns = {
  all: () => 'complete',
  inspected: (stage) => (stage === 'fetch' || stage === 'inspect' ? 'complete' : 'hold'),
  none: (stage) => (stage === 'fetch' ? { fail: 'source_not_found' } : 'hold'),
} as const satisfies Record<string, Turns>;

const wrongBodies: Readonly<Record<string, string>> = {
  not_https: JSON.stringify({ ...smallest, source_url: 'http://media.example.com/final.mp4' }),
  not_public: JSON.stringify({ ...smallest, source_url: 'https://10.0.0.1/final.mp4' }),
  missing_title: JSON.stringify({ source_url: smallest['source_url'] }),
  long_title: JSON.stringify({ ...smallest, title: 'x'.repeat(201) }),
  unknown_category: JSON.stringify({ ...smallest, category: 'cooking' }),
  language_with_country: JSON.stringify({ ...smallest, language_code: 'en-US' }),
  not_json: '{"title":',
};

type Read = { readonly status: string; readonly duration_seconds?: number };
type Bench = {
  readonly contract: ContractStack;
  readonly players: Players;
  readonly base: string;
  readonly key: string;
};
/** Which state an operation begins in, where its example is not called so. */
const before: Readonly<Record<string, string>> = {
  'archiveVideo 200 archived': 'ready',
  'republishVideo 200 public': 'archived',
  'deleteVideo 200 deleted': 'ready',
  queued: 'processing',
};

/** Everything that can be said about one stack; `sceneOf` is the situation of an example, if it is known. */
export async function exampleScenes(contract: ContractStack, players: Players) {
  const publisher = await contract.newPublisher('Examples');
  const { secretKey: key } = await contract.newKey(publisher);
  const bench: Bench = { contract, players, key, base: contract.gateways[0] ?? '' };
  const common = commonScenes(bench, publisher);
  const states = stateMakers(bench);
  return {
    submit: (body: unknown) => ask(bench, { method: 'POST', path: '/v1/videos', key, body: JSON.stringify(body) }),
    /** Ends catalog for good: from now on every call of it is a fault of the service's own. */
    endCatalog: () => contract.stack.process('catalog').kill(),
    sceneOf: (operation: string, status: string, name: string): Scene | undefined => {
      const state = states[before[`${operation} ${status} ${name}`] ?? before[name] ?? name];
      const shared = common[name];
      if (name in wrongBodies) return () => ask(bench, { ...callOf(operation, key), body: wrongBodies[name] ?? '' });
      if (shared) return () => shared(callOf(operation, key));
      return state && (async () => ask(bench, callOf(operation, key, await state())));
    },
  };
}

/** What any operation may answer. */
function commonScenes(bench: Bench, publisher: string): Readonly<Record<string, (call: Call) => Promise<Seen>>> {
  const { newKey } = bench.contract;
  const usual = (call: Call): Promise<Seen> => ask(bench, call);
  const second =
    (limits: KeyOptions) =>
    async (call: Call): Promise<Seen> => {
      const { secretKey } = await newKey(publisher, limits);
      await usual({ ...call, key: secretKey });
      return usual({ ...call, key: secretKey });
    };
  return {
    missing_credentials: ({ key: _key, ...call }) => usual(call),
    invalid_credentials: (call) => usual({ ...call, key: `svc_live_${'0'.repeat(24)}_${'0'.repeat(32)}` }),
    insufficient_scope: async (call) => {
      const scope = call.method === 'GET' ? 'videos:write' : 'videos:read';
      return usual({ ...call, key: (await newKey(publisher, { scopes: [scope] })).secretKey });
    },
    not_found: usual,
    rate_limited: second({ minuteLimit: 1 }),
    daily_ingest_limit: second({ dailyLimit: 1 }),
    not_http: (call) => askWithoutHost(bench.base, call),
    accepted: usual,
    internal_error: usual,
  };
}

/** A request without Host, which no HTTP client sends. */
async function askWithoutHost(base: string, { method, path }: Call): Promise<Seen> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (data: string) => (text += data));
  socket.write(`${method} ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
  await new Promise<void>((resolve, reject) => socket.once('close', () => resolve()).once('error', reject));
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [start = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']),
  );
  const seen = { status: Number(start.split(' ')[1]), headers, body: JSON.parse(body) as unknown };
  expectContract(method, path, seen);
  return seen;
}

/** Ways to a video in each state. */
function stateMakers(bench: Bench): Readonly<Record<string, () => Promise<string>>> {
  const { contract, players, key } = bench;
  const submit = async (): Promise<string> => {
    const call = { method: 'POST', path: '/v1/videos', key, body: JSON.stringify(requests['full']) };
    return ((await ask(bench, call)).body as { id: string }).id;
  };
  const read = async (id: string): Promise<Read> =>
    (await ask(bench, { method: 'GET', path: `/v1/videos/${id}`, key })).body as Read;
  const played = (turn: Turns, reached: (video: Read) => boolean) => async (): Promise<string> => {
    const id = await submit();
    await players.play(bare(id), turn);
    await until(async () => reached(await read(id)), { capMs: 60_000, everyMs: 50, what: `the state of ${id}` });
    return id;
  };
  const ready = played(turns.all, ({ status }) => status === 'ready');
  const failed = played(turns.none, ({ status }) => status === 'failed');
  const after = (from: () => Promise<string>, method: string, what: string) => async (): Promise<string> => {
    const id = await from();
    await ask(bench, { method, path: `/v1/videos/${id}${what}`, key });
    return id;
  };
  return {
    processing: submit,
    processing_inspected: played(turns.inspected, (video) => video.duration_seconds !== undefined),
    ready,
    failed,
    archived: after(ready, 'POST', '/archive'),
    deleted: after(ready, 'DELETE', ''),
    deleted_after_failure: after(failed, 'DELETE', ''),
    held: async () => {
      const id = await ready();
      await contract.videos.HoldVideo({ videoId: bare(id), actor: 'examples', reason: 'an example' });
      return id;
    },
  };
}

/** Asks, and holds the answer against the contract. */
async function ask({ base }: Bench, call: Call): Promise<Seen> {
  const seen = await seenOf(base, call);
  expectContract(call.method, call.path, seen);
  return seen;
}

async function seenOf(base: string, { method, path, key, body }: Call): Promise<Seen> {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function callOf(id: string, key: string, video = 'vid_01jd3m8q0c7e5b9x2k4n6p8rst'): Call {
  const { path = '', method = '' } = operations.find((one) => one.id === id) ?? {};
  const call = { method, path: path.replace('{id}', video), key };
  return id === 'createVideo' ? { ...call, body: JSON.stringify(smallest) } : call;
}
