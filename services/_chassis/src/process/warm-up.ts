/**
 * Calls that a process makes to itself before it becomes ready. In a rollout the first requests would otherwise pay for
 * connections, prepared statements and compilation, just when the node is busy starting other pods.
 */
import { messageOf, orUndefinedIfNotFound } from '../errors.ts';
import { pause } from '../async.ts';
import type { Scope } from './run.ts';

type Deps = Pick<Scope<Record<never, never>>, 'log' | 'signal'>;

/** As many as a pool has connections, so that each is opened and has its statements. */
const LANES = 10;
const ROUNDS = 5;
/** A warm-up is worth little delay: a node that is slower than this needs the pod more than a warm one. */
const MAX_MS = 5_000;

/**
 * Makes every call fifty times. A call that fails is logged and not repeated: the startup checks decide whether the
 * process may serve, not its warm-up.
 * @param calls name → a call that changes nothing; it may look up a missing entity
 */
export async function warmUp({ log, signal }: Deps, calls: Readonly<Record<string, () => Promise<unknown>>>) {
  const startedAt = performance.now();
  const end = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  const failed = new Set<string>();
  const lane = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, call] of Object.entries(calls)) {
        if (end.aborted || failed.has(name)) continue;
        await orUndefinedIfNotFound(call()).catch((error: unknown) => {
          if (!failed.has(name)) log.warn({ call: name, reason: messageOf(error) }, 'warm-up call failed');
          failed.add(name);
        });
      }
  };
  // A call that hangs must not keep the process from serving.
  await Promise.race([Promise.all(Array.from({ length: LANES }, lane)), pause(MAX_MS, end)]);
  log.info({ seconds: (performance.now() - startedAt) / 1_000 }, 'warmed up');
}
