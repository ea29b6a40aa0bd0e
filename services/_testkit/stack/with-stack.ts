/** A bench's own stack on the usual servers, with an origin; everything is removed afterwards. */
import { operatorOf, type Operator } from './operator.ts';
import { startStack, type Stack, type StackOptions } from './start-stack.ts';
import { mediaDir } from '../media/render.ts';
import { startOrigin, type Origin } from '../origin/origin.ts';
import { STACK_PARTS, install } from '../programs/install.ts';
import { step } from '../servers/progress.ts';
import type { Servers } from '../servers/servers-file.ts';
import { stateFolder } from '../servers/state-folder.ts';
import { down, status, up, USUAL_SERVERS } from '../servers/up.ts';

export type BenchStack = { readonly stack: Stack; readonly origin: Origin; readonly operator: Operator };

/** Runs `work` beside the usual servers; those that did not run before are stopped afterwards. */
export async function withServers(work: (servers: Servers) => Promise<void>): Promise<void> {
  const dir = stateFolder('servers');
  const before = status(dir);
  const started = USUAL_SERVERS.filter((name) => before[name] === null);
  const servers = await step('servers', () => up(dir));
  try {
    await work(servers);
  } finally {
    if (started.length > 0) await down(dir, started);
  }
}

/** Runs `work` in a fresh stack; the origin serves the generated media. */
export async function withStack(
  options: Pick<StackOptions, 'services' | 'env' | 'replicas'>,
  work: (bench: BenchStack) => Promise<void>,
): Promise<void> {
  await install(STACK_PARTS);
  await withServers((servers) => inStack(options, servers, work));
}

async function inStack(
  options: Pick<StackOptions, 'services' | 'env' | 'replicas'>,
  servers: Servers,
  work: (bench: BenchStack) => Promise<void>,
): Promise<void> {
  const origin = await startOrigin({ root: mediaDir });
  const { PRIVATE_SOURCES } = origin.environment;
  const env = {
    ...options.env,
    gateway: { PRIVATE_SOURCES, ...options.env?.gateway },
    ingest: { ...origin.environment, ...options.env?.ingest },
  };
  const stack = await step('services', () =>
    startStack({ dir: stateFolder('bench'), name: 'bench', servers, ...options, env }),
  );
  const operator = operatorOf(stack);
  try {
    await work({ stack, origin, operator });
  } finally {
    await operator.close();
    await stack.remove();
    await origin.close();
  }
}
