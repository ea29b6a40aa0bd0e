/** What the tests of engines share: errors as values, quick waits, and a log that says nothing. */
import { expect } from 'chai';
import { AppError } from '@vds/shared/errors';
import { createLogger } from '@vds/shared/log';

export const silent = createLogger('captions', 'silent');

/** Waits too short to be seen. */
export const quick = { tries: 3, firstWaitMs: 5, longestWaitMs: 2_000 } as const;

export const never = (): AbortSignal => new AbortController().signal;

export const ignore = (): void => undefined;

/** The error of a call that must fail. */
export const failureOf = async (call: Promise<unknown>): Promise<AppError> => {
  const outcome: unknown = await call.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
  expect(outcome).to.be.instanceOf(AppError);
  return outcome as AppError;
};
