/** Calls whose reply may be lost. */
import { AppError } from '@vds/chassis/errors';

/**
 * The reply, or undefined if the connection lost it: the call may have been executed. @throws any error of the service
 */
export async function orUndefinedIfLost<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AppError && ['UNAVAILABLE', 'DEADLINE_EXCEEDED'].includes(error.code)) return undefined;
    throw error;
  }
}
