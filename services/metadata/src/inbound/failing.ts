/** How a unit that has failed for good ends its stage. */
import type { PoolClient } from '@vds/chassis/database/database';
import { messageOf } from '@vds/chassis/errors';
import { stageOfUnit } from '@vds/chassis/stage/stages';
import type { Claimed } from '@vds/chassis/work/work';
import type { Deps } from './deps.ts';

/** Says that the stage has failed. Whatever it was, the renditions are ours: there is nothing that a partner could mend. */
export async function failStage(
  { stages, log }: Deps,
  client: PoolClient,
  job: Claimed,
  error: unknown,
): Promise<void> {
  const key = stageOfUnit(job);
  log.error({ reason: messageOf(error), group: key.groupKey, unit: job.unit }, 'metadata cannot be made');
  await stages.fail(client, key, { code: 'internal_error', details: {} });
}
