/** A stack of the bench's own on the usual servers, with an origin; everything is removed afterwards. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operatorOf, type Operator } from '@vds/testkit/stack/operator';
import { startStack, type Stack, type StackOptions } from '@vds/testkit/stack/start-stack';
import { mediaDir } from '@vds/testkit/media/render';
import { startOrigin, type Origin } from '@vds/testkit/origin/origin';
import { STACK_PARTS, install } from '@vds/testkit/servers/install';
import { step } from '@vds/testkit/servers/progress';
import { down, status, up, USUAL_SERVERS } from '@vds/testkit/servers/up';

const vds = fileURLToPath(new URL('../../.vds', import.meta.url));

export type BenchStack = { readonly stack: Stack; readonly origin: Origin; readonly operator: Operator };

/** Runs `work` in a fresh stack; the origin serves the made media. */
export async function withStack(
  options: Pick<StackOptions, 'services' | 'env' | 'replicas'>,
  work: (bench: BenchStack) => Promise<void>,
): Promise<void> {
  await install(STACK_PARTS);
  const dir = join(vds, 'servers');
  const before = status(dir);
  const started = USUAL_SERVERS.filter((name) => before[name] === null);
  const servers = await step('servers', () => up(dir));
  const origin = await startOrigin({ root: mediaDir });
  const { PRIVATE_SOURCES } = origin.environment;
  const env = {
    ...options.env,
    gateway: { PRIVATE_SOURCES, ...options.env?.gateway },
    ingest: { ...origin.environment, ...options.env?.ingest },
  };
  const stack = await step('services', () =>
    startStack({ dir: join(vds, 'bench'), name: 'bench', servers, ...options, env }),
  );
  const operator = operatorOf(stack);
  try {
    await work({ stack, origin, operator });
  } finally {
    await operator.close();
    await stack.remove();
    await origin.close();
    if (started.length > 0) await down(dir, started);
  }
}
