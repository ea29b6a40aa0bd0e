/** Errors of the engines, by their reason. */
import { AppError } from '@vds/chassis/errors';

/** Errors of an engine have one of these reasons: they fail a track, never the stage. */
export const ENGINE_ERROR = 'engine_error';
export const TIMED_OUT = 'timed_out';

/** Whether an engine did not end in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.reason === TIMED_OUT;
}

/** For `givesUp`: an engine that times out twice in a row on the same job hangs on it. */
export function timedOutTwice(error: unknown, lastFailure: string | null): boolean {
  return isTimeout(error) && lastFailure === TIMED_OUT;
}
