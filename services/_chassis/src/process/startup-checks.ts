/**
 * A service becomes ready only after every service it calls has replied once, with its own token and certificates.
 * Otherwise a release with a wrong secret would become ready and replace every good pod. Only once: otherwise a later
 * outage of a peer would take all its callers down too.
 */
import { AppError, messageOf } from '../errors.ts';
import { pause } from '../async.ts';
import type { Check } from './health.ts';
import type { Scope } from './run.ts';

type Deps = Pick<Scope<Record<never, never>>, 'health' | 'log' | 'signal'>;

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;
/** How often a reason that does not change is logged. */
const LOG_EVERY_MS = 30_000;

/**
 * Waits, without a limit, until every check has passed once; `/readyz` names those that fail, the log has the reasons.
 * @param checks name → the smallest call that succeeds only with valid credentials
 */
export async function runStartupChecks(deps: Deps, checks: Readonly<Record<string, Check>>): Promise<void> {
  await Promise.all(Object.entries(checks).map(([name, check]) => waitFor(deps, name, check)));
}

async function waitFor({ health, log, signal }: Deps, name: string, check: Check): Promise<void> {
  let reason: string | undefined = 'not checked yet';
  let loggedReason: string | undefined;
  let loggedAt = 0;
  health.add(name, async () => {
    if (reason !== undefined) throw new Error(reason);
  });
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      await check();
      reason = undefined;
      if (loggedReason !== undefined) log.info({ check: name }, 'startup check passed');
      return;
    } catch (error) {
      reason = messageOf(error);
      if (reason !== loggedReason || performance.now() - loggedAt >= LOG_EVERY_MS) {
        [loggedReason, loggedAt] = [reason, performance.now()];
        log.warn({ check: name, reason }, 'startup check failed, retrying');
      }
      await pause(pauseMs, signal);
    }
  }
  throw new Error('the process is stopping');
}

/**
 * For a service that can work without the peer: passes once the peer has replied, or has been failing for `graceMs`. A
 * peer that rejects our credentials still fails the check.
 */
export function optional(check: Check, graceMs = 5_000): Check {
  const startedAt = performance.now();
  return async () => {
    try {
      await check();
    } catch (error) {
      const rejected = error instanceof AppError && ['UNAUTHENTICATED', 'PERMISSION_DENIED'].includes(error.code);
      if (rejected || performance.now() - startedAt < graceMs) throw error;
    }
  };
}
