/** What the tests of engines share: errors as values, short waits, and a silent log. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';

export const silent = createLogger('captions', 'silent');

/** Waits too short to be noticed. */
export const shortRetry = { tries: 3, firstWaitMs: 5, longestWaitMs: 2_000 } as const;

export function never(): AbortSignal {
  return new AbortController().signal;
}

export function ignore(): void {
  return undefined;
}

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<AppError> {
  const outcome: unknown = await call.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
  expect(outcome).to.be.instanceOf(AppError);
  return outcome as AppError;
}
