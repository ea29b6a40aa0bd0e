/**
 * Saying again what may have been lost with the stream. Catalog asks again for stages that are open; a state that moved
 * after its stage had ended is asked for by nobody. Whoever hears a state twice goes by its revision.
 */
import type { Bus } from '@vds/chassis/bus/bus';
import type { Executor, Pool } from '@vds/chassis/database/database';
import type { Logger } from '@vds/chassis/telemetry/log';
import { pause } from '@vds/chassis/process/async';
import { enqueue, type Job, type Queue } from '@vds/chassis/work/work';
import { publishTracks } from '../outbound/publisher.ts';
import { latestSince, readTitle } from '../outbound/titles.ts';

const queue = 'say';

/** At most 250 states a second, so that what is said meanwhile keeps its turn. */
const AT_A_TIME = 50;
const PAUSE_MS = 200;

type Deps = {
  readonly pool: Pool;
  readonly bus: Pick<Bus, 'publishRaw'>;
  readonly log: Logger;
  /** How long ago a title may have changed. */
  readonly withinMs: number;
};

/** For `bus.ownStream`: a unit of work, so that a process that ends in the middle leaves it to another. */
export async function requestRepublish(client: Executor): Promise<void> {
  await client.query(`DELETE FROM chassis.work WHERE queue = $1 AND state NOT IN ('ready', 'running')`, [queue]);
  await enqueue(client, [{ queue, groupKey: 'stream', attempt: 0, unit: `again-${Date.now()}` }]);
}

export function republishQueue(place: Deps): Queue {
  return {
    slots: 1,
    maxTries: 20,
    run: (job) => sayAll(place, job),
    failed: async (_client, _job, error) =>
      place.log.error({ err: error }, 'what was lost with the stream stays unsaid'),
  };
}

async function sayAll({ pool, bus, log, withinMs }: Deps, job: Job): Promise<void> {
  const keys = await latestSince(pool, withinMs);
  for (let at = 0; at < keys.length; at += AT_A_TIME) {
    if (at > 0) await pause(PAUSE_MS, job.signal);
    job.signal.throwIfAborted();
    const titles = await Promise.all(keys.slice(at, at + AT_A_TIME).map((key) => readTitle(pool, key)));
    const said = titles.filter((title) => title !== undefined).map(publishTracks);
    await Promise.all(said.map((one) => bus.publishRaw(one.subject, one.payload, one.messageId, one.traceparent)));
  }
  await job.complete();
  if (keys.length > 0) log.info({ titles: keys.length }, 'the stream was made anew: said again how the tracks are');
}
