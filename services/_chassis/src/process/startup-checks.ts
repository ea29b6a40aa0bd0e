/**
 * Before a service is ready for the first time it has once been answered by everybody whom it calls, with its own token
 * and certificates. Else a release with a wrong secret would come up ready and take every good pod's place. Only once: a
 * peer that goes away later makes nobody unready, because its outage would then shut every door at the same time.
 */
import { AppError, messageOf } from '../errors.ts';
import type { Check } from './health.ts';
import { pause } from './pause.ts';
import type { Scope } from './run.ts';

type Deps = Pick<Scope<Record<never, never>>, 'health' | 'log' | 'signal'>;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
/** A reason that stays the same is said again that often. */
const SAY_AGAIN_MS = 30_000;

const REFUSALS: readonly string[] = ['UNAUTHENTICATED', 'PERMISSION_DENIED'];

/**
 * Waits until every check has passed once, for ever if need be; `/readyz` shows each under its name, with what is missing.
 * @param checks name → the smallest call that the other side answers only to who is let in
 */
export async function runStartupChecks(waiting: Deps, checks: Readonly<Record<string, Check>>): Promise<void> {
  await Promise.all(Object.entries(checks).map(([check, ask]) => waitFor(waiting, check, ask)));
}

async function waitFor({ health, log, signal }: Deps, check: string, ask: Check): Promise<void> {
  let missing: string | undefined = 'not asked yet';
  health.add(check, async () => {
    if (missing !== undefined) throw new Error(missing);
  });
  const tell = createProgressLog(log, check);
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      await ask();
      missing = undefined;
      return tell.reached();
    } catch (error) {
      missing = messageOf(error);
      tell.waits(missing);
      await pause(pauseMs, signal);
    }
  }
  throw new Error('the process stops');
}

/** Says why it is waited: at once, whenever the reason is another one, and every now and then. */
function createProgressLog(log: Deps['log'], check: string) {
  let said: string | undefined;
  let saidAt = 0;
  return {
    waits: (reason: string): void => {
      if (reason === said && performance.now() - saidAt < SAY_AGAIN_MS) return;
      [said, saidAt] = [reason, performance.now()];
      log.warn({ check, reason }, 'not ready before the first contact; asked again until it is there');
    },
    reached: (): void => {
      if (said !== undefined) log.info({ check }, 'the first contact is there');
    },
  };
}

/** For questions about what does not exist: that there is no such thing is the answer of a peer that lets us in. */
export async function orUndefinedIfNotFound<T>(question: Promise<T>): Promise<T | undefined> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * For who can serve while that peer is away or broken: passes once it has answered, or has failed
 * to for `graceMs`. A peer that refuses us is never passed over.
 */
export function optional(ask: Check, graceMs = 5_000): Check {
  const since = performance.now();
  return async () => {
    try {
      await ask();
    } catch (error) {
      const isRefusal = error instanceof AppError && REFUSALS.includes(error.code);
      if (isRefusal || performance.now() - since < graceMs) throw error;
    }
  };
}
