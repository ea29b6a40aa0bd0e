/** Calls whose reply may be lost on the way. */
import { AppError } from '@vds/chassis/errors';

/** The reply, or undefined where a connection lost it: that says nothing about what was done. @throws any refusal */
export async function orLost<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AppError && ['UNAVAILABLE', 'DEADLINE_EXCEEDED'].includes(error.code)) return undefined;
    throw error;
  }
}
