/**
 * Republishes states that may have been lost with the stream. Catalog requests open stages again, but not a state that
 * changed after its stage had ended. Consumers compare revisions, so that a repeat changes nothing.
 */
import type { Bus } from '@vds/chassis/bus/bus';
import type { Executor, Pool } from '@vds/chassis/database/database';
import type { Logger } from '@vds/chassis/telemetry/log';
import { pause } from '@vds/chassis/process/async';
import { addJobRows, removeEndedJobs } from '@vds/chassis/work/job-rows';
import type { Job, Queue } from '@vds/chassis/work/run-job';
import { tracksChanged } from '../outbound/publisher.ts';
import { latestSince, readJob } from '../outbound/caption-rows.ts';

const stage = 'republish';

/** At most 250 states a second, so that events of running jobs are not delayed. */
const AT_A_TIME = 50;
const PAUSE_MS = 200;

type Deps = {
  readonly pool: Pool;
  readonly bus: Pick<Bus, 'publishRaw'>;
  readonly log: Logger;
  /** How long ago captions may have changed. */
  readonly withinMs: number;
};

/** For `bus.ownStream`: a job, so that another process continues when this one ends. */
export async function requestRepublish(client: Executor): Promise<void> {
  await removeEndedJobs(client, stage);
  const name = `republish-${Date.now()}`;
  await addJobRows(client, [{ stage, queue: stage, videoId: '', attempt: 0, name }]);
}

export function republishQueue(deps: Deps): Queue {
  return {
    slots: 1,
    maxTries: 20,
    run: (job) => republishAll(deps, job),
    failed: async (_client, _job, error) => deps.log.error({ err: error }, 'states of tracks could not be republished'),
  };
}

async function republishAll({ pool, bus, log, withinMs }: Deps, job: Job): Promise<void> {
  const keys = await latestSince(pool, withinMs);
  for (let at = 0; at < keys.length; at += AT_A_TIME) {
    if (at > 0) await pause(PAUSE_MS, job.signal);
    job.signal.throwIfAborted();
    const jobs = await Promise.all(keys.slice(at, at + AT_A_TIME).map((key) => readJob(pool, key)));
    const messages = jobs.filter((one) => one !== undefined).map(tracksChanged);
    await Promise.all(messages.map((one) => bus.publishRaw(one.subject, one.payload, one.messageId, one.traceparent)));
  }
  await job.complete();
  if (keys.length > 0) log.info({ videos: keys.length }, 'stream recreated: states of tracks republished');
}
