/**
 * Calls that a process makes to itself before it becomes ready. In a rollout the first requests would otherwise pay for
 * connections, prepared statements and code that is not compiled yet, just when the node is busy starting other pods.
 */
import { once } from 'node:events';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { messageOf } from '../errors.ts';
import { pause } from './async.ts';
import type { Scope } from './run.ts';

type Deps = Pick<Scope<Record<never, never>>, 'log' | 'signal'>;

/** As many as a pool has connections, so that each is opened and has its statements. */
const LANES = 10;
const ROUNDS = 10;
/** A warm-up is worth little delay: a node that is slower than this needs the pod more than a warm one. */
const LONGEST_MS = 5_000;

/**
 * Makes every call a hundred times. A call that fails is logged and not made again: the startup checks decide whether the
 * process may serve, not its warm-up.
 * @param calls name → a call that reads what does not exist and changes nothing
 */
export async function warmUp({ log, signal }: Deps, calls: Readonly<Record<string, () => Promise<unknown>>>) {
  const startedAt = performance.now();
  const end = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const failed = new Set<string>();
  const lane = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, call] of Object.entries(calls)) {
        if (end.aborted || failed.has(name)) continue;
        await call().catch((error: unknown) => {
          if (!failed.has(name)) log.warn({ call: name, reason: messageOf(error) }, 'warm-up call failed');
          failed.add(name);
        });
      }
  };
  // A call that hangs must not keep the process from serving.
  await Promise.race([Promise.all(Array.from({ length: LANES }, lane)), pause(LONGEST_MS, end)]);
  log.info({ seconds: (performance.now() - startedAt) / 1_000 }, 'warmed up');
}

/** Sends a request to the process's own HTTP port and reads the response, whatever its status. */
export async function requestOwnPort(port: number, path: string, headers: OutgoingHttpHeaders = {}): Promise<void> {
  const [response] = (await once(
    get({ port, path, headers, agent: false, signal: AbortSignal.timeout(LONGEST_MS) }),
    'response',
  )) as [IncomingMessage];
  await once(response.resume(), 'close');
}
