/** A circuit breaker in front of a dependency. */
import { AppError } from '@vds/chassis/errors';

/**
 * While the dependency is unreachable one call at a time probes it, and all others fail at once: otherwise they would
 * queue behind its timeouts, and ahead of the tombstones, which do not need it.
 */
export function failFast<A, T>(call: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let unreachable: AppError | undefined;
  let calls = 0;
  return async (argument) => {
    if (unreachable !== undefined && calls > 0) throw unreachable;
    calls += 1;
    try {
      const result = await call(argument);
      unreachable = undefined;
      return result;
    } catch (error) {
      unreachable = isUnreachable(error) ? error : undefined;
      throw error;
    } finally {
      calls -= 1;
    }
  };
}

function isUnreachable(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'UNAVAILABLE' || error.code === 'DEADLINE_EXCEEDED');
}
