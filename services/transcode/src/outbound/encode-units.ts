/** Units of encode on their way into the queue. */
import type { Executor } from '@vds/chassis/database/database';
import { enqueue } from '@vds/chassis/work/work';
import { durationMs, type TitlePlan } from '../domain/plan/title-plan.ts';
import { allParts, firstUnits, type EncodeUnit } from '../domain/plan/units.ts';
import type { StageRequest } from './stages.ts';
import { addParts } from './titles.ts';

type Title = Pick<StageRequest, 'videoId' | 'attempt' | 'publisherId'>;

/** Everything that a planned title needs made, and of it what can be begun at once. */
export async function startTitle(client: Executor, title: Title, plan: TitlePlan): Promise<void> {
  await addParts(client, title, allParts(plan));
  await enqueueUnits(client, title, plan, firstUnits(plan));
}

/** Adds units inside the caller's transaction. */
export async function enqueueUnits(
  client: Executor,
  { videoId, attempt, publisherId }: Title,
  plan: TitlePlan,
  units: readonly EncodeUnit[],
): Promise<void> {
  const seconds = durationMs(plan.timeline) / 1_000;
  const rows = units.map(({ unit, payload, weight }) => ({
    queue: 'encode',
    groupKey: videoId,
    attempt,
    unit,
    payload,
    tenant: publisherId,
    // Among one tenant's titles the shortest goes first; within a title what others wait for.
    cost: payload.kind === 'piece' ? seconds : weight,
  }));
  await enqueue(client, rows);
}

/** The source is to be looked at once more, as there is no plan: a database was restored. */
export async function enqueuePlanning(client: Executor, { videoId, attempt, publisherId }: Title): Promise<void> {
  const payload = { kind: 'plan' };
  await enqueue(client, [{ queue: 'encode', groupKey: videoId, attempt, unit: 'plan', payload, tenant: publisherId }]);
}
