/** Response times that must reveal nothing: interleaved in random order, one request at a time. */
import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { step } from '@vds/testkit/servers/progress';
import type { Contract } from './contract-stack.ts';
import { compare, SHARES, T_BOUND } from './welch.ts';

const EACH = 2_500;
const WARM_UP = 300;
const VIDEOS = 200;
const AUTHORIZATION_PREFIX = 'Bearer ';

type ApiRequest = { readonly method: string; readonly path: string; readonly key: string };
/** A class of requests; its requests may differ. */
type RequestClass = { readonly name: string; readonly next: () => ApiRequest };

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export async function timesOfVideos({ url, newKey, newOtherKey, submit }: Contract): Promise<string[]> {
  const owner = await newOtherKey();
  const foreignIds: string[] = [];
  for (let n = 0; n < VIDEOS; n += 1) foreignIds.push(await submit(owner));
  const one = (ids: readonly string[]): string => ids[randomInt(ids.length)] ?? '';
  const missed: string[] = [];
  const operations = [
    ['GET', ''],
    ['POST', '/archive'],
  ] as const;
  for (const [method, verb] of operations) {
    const key = await newKey();
    const requestClass = (name: string, ids: readonly string[]): RequestClass => ({
      name,
      next: () => ({ method, path: `/v1/videos/${one(ids)}${verb}`, key }),
    });
    const what = `${method} /v1/videos/{id}${verb}`;
    const classes = [requestClass('another’s', foreignIds), requestClass('unknown', foreignIds.map(similarId))];
    missed.push(...report(what, await step(what, () => measure(url, 404, classes))));
  }
  return missed;
}

/** An unknown id next to a known one: both are on the same pages of the index. */
function similarId(id: string): string {
  return id.slice(0, -1) + alphabet.charAt((alphabet.indexOf(id.slice(-1)) + 1) % alphabet.length);
}

/** Prints every pair of classes; returns the missed targets. */
function report(what: string, times: ReadonlyMap<string, readonly number[]>): string[] {
  const names = [...times.keys()];
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
  const missed: string[] = [];
  for (const [one, other] of pairs)
    for (const share of SHARES) {
      const { a, b, t } = compare(times.get(one) ?? [], times.get(other) ?? [], share);
      const alike = Math.abs(t) < T_BOUND;
      const means = `${a.mean.toFixed(4)} ms (n ${a.n}) and ${b.mean.toFixed(4)} ms (n ${b.n})`;
      const line = `${what}, ${one} and ${other}, shortest ${share * 100} %`;
      process.stdout.write(`${line}: ${means}, t ${t.toFixed(2)}, |t| < ${T_BOUND}: ${alike ? 'yes' : 'NO'}\n`);
      if (!alike) missed.push(`time alike: ${line}`);
    }
  return missed;
}

async function measure(
  url: string,
  expected: number,
  classes: readonly RequestClass[],
): Promise<Map<string, number[]>> {
  const times = new Map(classes.map(({ name }) => [name, [] as number[]]));
  const { send, close } = openClient(url, expected);
  const order = shuffled(classes.flatMap((requestClass) => Array.from({ length: EACH }, () => requestClass)));
  for (const requestClass of order.slice(0, WARM_UP)) await send(requestClass.next());
  for (const requestClass of order) times.get(requestClass.name)?.push(await send(requestClass.next()));
  close();
  return times;
}

function openClient(url: string, expected: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Milliseconds from the request to the end of its response. */
  const send = ({ method, path, key }: ApiRequest): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const headers = { authorization: AUTHORIZATION_PREFIX + key };
    const from = performance.now();
    const sent = request(`${url}${path}`, { method, agent, headers }, (answer) => {
      answer.resume().once('end', () => {
        const took = performance.now() - from;
        if (answer.statusCode === expected) resolve(took);
        else reject(new Error(`${method} ${path} answered ${answer.statusCode}`));
      });
    });
    sent.once('error', reject).end();
    return promise;
  };
  return { send, close: () => agent.destroy() };
}

function shuffled<T>(values: T[]): T[] {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [values[last], values[other]] = [values[other] as T, values[last] as T];
  }
  return values;
}

export async function timesOfCredentials({ url, newKey, revoke, badKeys }: Contract): Promise<string[]> {
  const good = await newKey();
  const revoked = await newKey();
  await revoke(revoked);
  const requestClass = (name: string, next: () => string): RequestClass => ({
    name,
    next: () => ({ method: 'GET', path: '/v1/videos/01jd3m8q0c7e5b9x2k4n6p8rst', key: next() }),
  });
  const classes = [
    requestClass('a wrong secret', () => badKeys.wrongSecret(good)),
    requestClass('an unknown key', badKeys.unknown),
    requestClass('a revoked key', () => revoked),
  ];
  return report('401', await step('401', () => measure(url, 401, classes)));
}
