/** Many videos at once, and a worker's replicas while the backlog shrinks. */
import { makeSample } from '@vds/testkit/media/make-samples';
import { pairs } from '@vds/testkit/media/sample-list';
import { until } from '@vds/testkit/until';
import { podsOf } from '../harness/cluster/release.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';

const VIDEOS = 12;

/** Submits them and returns their ids. */
export async function submitMany(target: Target, partner: Partner, title: string): Promise<readonly string[]> {
  const file = await makeSample(pairs.find(({ height, codec }) => height === 720 && codec === 'h264') ?? pairs[0]!);
  const sourceUrl = await target.serve(file);
  const ids: string[] = [];
  for (let n = 0; n < VIDEOS; n++) ids.push(await partner.submit(sourceUrl, { title: `${title} ${n}` }));
  return ids;
}

/**
 * Tracks the replicas of a component.
 * @param why logged with each change
 */
export function followReplicas(component: string, why: () => Promise<string>) {
  const from = performance.now();
  const changes: string[] = [];
  let last = -1;
  const count = async (): Promise<number> => {
    const replicas = (await podsOf(component)).length;
    if (replicas !== last)
      changes.push(`      ${((performance.now() - from) / 1_000).toFixed(0)} s: ${replicas} (${await why()})`);
    last = replicas;
    return replicas;
  };
  return {
    reaches: (wanted: number) =>
      until(async () => (await count()) === wanted, { capMs: 900_000, everyMs: 1_000, what: `${wanted} replicas` }),
    /** A line for each change. */
    timeline: (): string => changes.join('\n'),
  };
}
