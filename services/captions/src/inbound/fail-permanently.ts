/** When a further try of an engine is not worth its wait. */
import { AppError } from '@vds/chassis/errors';
import type { Job } from '@vds/chassis/work/work';
import { engineError } from '../outbound/instrumented-engines.ts';

/** An engine that let one whole timeout pass twice on the same unit hangs: six of them would be longer than the title waits. */
export function failPermanently(job: Job) {
  return (error: unknown) => {
    const isEngine = error instanceof AppError && error.reason === engineError;
    if (isEngine && error.code === 'DEADLINE_EXCEEDED' && job.tries >= 2)
      throw new AppError('FAILED_PRECONDITION', error.message, { reason: engineError, cause: error });
    throw error;
  };
}
