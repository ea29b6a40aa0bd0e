/** The door through which units of the inspect stage come. */
import type { PoolClient } from '@vds/chassis/database/database';
import { withTransaction } from '@vds/chassis/database/database';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { Claimed, Job, Queue } from '@vds/chassis/work/work';
import { inspectSource } from '../domain/units/inspect-source.ts';
import { inspectPorts } from '../outbound/job-ports.ts';
import { inspected, publishResult, publishStarted } from '../outbound/publisher.ts';
import { beginStage, closeStage, readStage, type StageKey, type StageName, type StageRow } from '../outbound/stages.ts';
import { savePlan } from '../outbound/titles.ts';
import { failStage } from './failing.ts';
import type { Deps } from './deps.ts';

export function inspectQueue(deps: Deps, slots: number): Queue {
  return {
    slots,
    run: async (job) => {
      const key = stageOf(job, 'inspect');
      const title = await begin(deps, key);
      if (!title) return job.complete();
      const plan = await inspect(deps, job, title);
      const answer = inspected(plan);
      await job.complete(async (client) => {
        await savePlan(client, key, plan);
        if (await closeStage(client, key, 'completed', answer)) await addToOutbox(client, [publishResult(key, answer)]);
      });
    },
    failed: (client, job, error) => failStage(client, stageOf(job, 'inspect'), error),
  };
}

export function stageOf(job: Claimed, stage: StageName): StageKey {
  return {
    videoId: job.groupKey,
    attempt: job.attempt,
    stage,
  };
}

/**
 * Says that the stage has begun, once, and reads its row.
 * @param more what else is said with it
 * @returns undefined where the stage is closed: there is nothing to do
 */
export async function begin(
  { pool, wake }: Deps,
  key: StageKey,
  more: (client: PoolClient) => Promise<void> = async () => {},
): Promise<StageRow | undefined> {
  const row = await withTransaction(pool, async (client) => {
    if (await beginStage(client, key)) {
      await addToOutbox(client, [publishStarted(key)]);
      await more(client);
    }
    return readStage(client, key);
  });
  wake();
  return row?.state === 'open' ? row : undefined;
}

/** Looks at a source: fetched, judged, planned. */
export function inspect(deps: Deps, job: Job, title: StageRow) {
  return withScratch(deps.scratchDir, 'transcode', (scratch) =>
    inspectSource(inspectPorts({ ...deps, scratch, signal: job.signal }, title), deps.limits, deps.pieceRules),
  );
}
