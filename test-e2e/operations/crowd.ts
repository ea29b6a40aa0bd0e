/** Many videos at once, and a worker's replicas while the backlog shrinks. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeSample } from '@vds/testkit/media/make-samples';
import { pairs } from '@vds/testkit/media/sample-list';
import { until } from '@vds/testkit/until';
import { podsOf } from '../harness/cluster/release.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';

const VIDEOS = 12;

/** Submits them and returns their ids. */
export async function submitCrowd(target: Target, partner: Partner, title: string): Promise<readonly string[]> {
  const file = await makeSample(pairs.find(({ height, codec }) => height === 720 && codec === 'h264') ?? pairs[0]!);
  await copyFile(file, join(target.media, basename(file)));
  const ids: string[] = [];
  for (let count = 0; count < VIDEOS; count++)
    ids.push(await partner.submit(target.origin.url(`/${basename(file)}`), { title: `${title} ${count}` }));
  return ids;
}

/**
 * Tracks the replicas of a component.
 * @param why logged with each change
 */
export function followReplicas(component: string, why: () => Promise<string>) {
  const from = performance.now();
  const told: string[] = [];
  let last = -1;
  const look = async (): Promise<number> => {
    const replicas = (await podsOf(component)).length;
    if (replicas !== last)
      told.push(`      ${((performance.now() - from) / 1_000).toFixed(0)} s: ${replicas} (${await why()})`);
    last = replicas;
    return replicas;
  };
  return {
    reaches: (wanted: number) =>
      until(async () => (await look()) === wanted, { capMs: 900_000, everyMs: 1_000, what: `${wanted} replicas` }),
    /** A line for each change. */
    timeline: (): string => told.join('\n'),
  };
}
