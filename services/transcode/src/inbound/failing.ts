/** How a unit that has failed for good ends its stage: with one code of the failure table, said once. */
import type { PoolClient } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { cancelAttempt } from '@vds/chassis/work/work';
import { isFailureCode, type FailureCode } from '@vds/proto/failures';
import { publishResult, type StageResult } from '../outbound/publisher.ts';
import { closeStage, type StageKey } from '../outbound/stages.ts';

/** Closes the stage as failed and ends what else is under way for the attempt. */
export async function failStage(client: PoolClient, key: StageKey, error: unknown): Promise<void> {
  const details = error instanceof AppError ? { ...error.details } : {};
  const answer: StageResult = { said: 'failed', code: codeOf(error), details };
  if (!(await closeStage(client, key, 'failed', answer))) return;
  await addToOutbox(client, [publishResult(key, answer)]);
  await cancelAttempt(client, { groupKey: key.videoId, attempt: key.attempt });
}

/** The error's own code; a tool that gave up is `transcode_failed`; everything else is ours. */
export function codeOf(error: unknown): FailureCode {
  const reason = error instanceof AppError ? error.reason : undefined;
  if (reason !== undefined && isFailureCode(reason)) return reason;
  return reason === 'tool_failed' ? 'transcode_failed' : 'internal_error';
}
