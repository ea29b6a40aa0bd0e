/** Maps an error to a failure: a code of the failure table, with the details that may be shown. */
import { AppError, classify } from '@vds/chassis/errors';
import type { StageFailure } from '@vds/chassis/stage/define-stage';
import { isFailureCode, type FailureCode } from '@vds/proto/failures';

export function failureOf(error: unknown): StageFailure {
  return { code: codeOf(error), details: error instanceof AppError ? error.details : {} };
}

/**
 * The error's own code. A tool that failed again, and a source that ends its worker or a tool also when it is processed
 * alone, are `transcode_failed`; everything else is an error of our own.
 */
function codeOf(error: unknown): FailureCode {
  const reason = error instanceof AppError ? error.reason : undefined;
  if (reason !== undefined && isFailureCode(reason)) return reason;
  return reason === 'tool_failed' || classify(error).class === 'crash' ? 'transcode_failed' : 'internal_error';
}
