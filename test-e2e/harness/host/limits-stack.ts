/**
 * The stack of the limits' tests, shared by all files: three gateways, auths and catalogs, with controllable clocks and
 * proxies.
 */
import type { Stack } from '@vds/testkit/stack/start-stack';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { send, unknownVideo, type TimedResponse, type ApiRequest } from '../../probes/timed-request.ts';
import { takeClock, type DatabaseClock } from '../../fakes/database-clock.ts';
import { openContractStack, type ContractStack, type IssuedKey, type KeyOptions } from './contract-stack.ts';

export type LimitsStack = ContractStack & {
  /** The clock of catalog's database; it is stopped at noon of a day far in the future. */
  readonly clock: DatabaseClock;
  /** The proxies from the gateways to catalog's replicas, in order. */
  readonly proxies: readonly CuttingProxy[];
  /** Makes every process see its host's clock jump: 36 h ahead, then 36 h back, then right again. */
  readonly skewHostClocks: () => void;
  /** Sends requests to one gateway after the other. */
  readonly sendRoundRobin: (key: string | undefined, request: ApiRequest) => Promise<TimedResponse>;
  /** A key of a new publisher. */
  readonly freshKey: (options?: KeyOptions) => Promise<IssuedKey>;
  /** The charges to a key's day budget, and the number of videos that it created. */
  readonly charges: (keyId: string) => Promise<{ readonly used: number; readonly videos: number }>;
};

export const NOON = '2031-03-09T12:00:00Z';
const clockSkew = { NODE_OPTIONS: `--import=${import.meta.resolve('@vds/testkit/harness/clock-skew')}` };

let users = 0;
let opened: Promise<LimitsStack> | undefined;
let stack: LimitsStack | undefined;

/** To be called in a `describe`: the stack is open during its tests, and closes after the last user's tests. */
export function useLimitsStack(): () => LimitsStack {
  users += 1;
  before(async function () {
    this.timeout(240_000);
    stack = await (opened ??= open());
  });
  after(async function () {
    this.timeout(240_000);
    users -= 1;
    if (users === 0) await stack?.close();
  });
  return () => {
    if (stack === undefined) throw new Error('the stack is open only during tests');
    return stack;
  };
}

async function open(): Promise<LimitsStack> {
  const proxies = await Promise.all([1, 2, 3].map(() => openCuttingProxy()));
  const contract = await openContractStack({
    suffix: 'limits',
    // A gateway becomes ready once it has reached a catalog, which it does only through these proxies.
    onPlanned: (planned) => {
      const catalogs = planned.filter(({ service }) => service === 'catalog');
      proxies.forEach((proxy, n) => proxy.forwardTo(catalogs[n]?.ports.rpc ?? 0));
    },
    env: {
      auth: clockSkew,
      catalog: clockSkew,
      gateway: {
        ...clockSkew,
        CATALOG_RPC: `ipv4:${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
        TIME_SCALE: 'peerTimeout=60s', // thousands of concurrent requests on a small machine
      },
    },
  });
  const { stack, gateways, newPublisher, newKey } = contract;
  const clock = await takeClock(stack, 'catalog', await settledOf(contract));
  await clock.freeze(NOON);
  let turn = 0;
  return {
    ...contract,
    clock,
    proxies,
    skewHostClocks: skewOf(stack),
    sendRoundRobin: (key, request) => send(gateways[turn++ % gateways.length] ?? '', key, request),
    freshKey: async (options = {}) => newKey(await newPublisher('Limits'), options),
    charges: chargesOf(stack),
    close: async () => {
      await contract.close();
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

/** Every catalog responds through every gateway, several times in a row. */
async function settledOf({ gateways, newPublisher, newKey }: ContractStack) {
  const { secretKey } = await newKey(await newPublisher('Settled'));
  return async (): Promise<boolean> => {
    for (const base of [...gateways, ...gateways, ...gateways])
      if ((await send(base, secretKey, unknownVideo)).status !== 404) return false;
    return true;
  };
}

function skewOf(stack: Stack) {
  return (): void => {
    for (const { pid } of stack.processes) {
      const running = pid();
      if (running !== undefined) process.kill(running, 'SIGUSR2');
    }
  };
}

function chargesOf(stack: Stack) {
  return async (keyId: string) => {
    const { rows } = await stack.adminPool('catalog').query<{ used: number; videos: number }>(
      `SELECT COALESCE((SELECT sum(used) FROM daily_counts WHERE budget_id = $1), 0)::int AS used,
      (SELECT count(*) FROM videos WHERE budget_id = $1)::int AS videos`,
      [keyId],
    );
    return rows[0] ?? { used: -1, videos: -1 };
  };
}
