/**
 * Performance data on the real stack: many events through playback, NATS and analytics while replicas are killed and NATS
 * is restarted, judged by what JetStream itself stores; then a month of events in files: how many, and seconds by view.
 */
import { benchHistory } from './analytics/history.ts';
import { step } from '@vds/testkit/servers/progress';
import { withServers } from '@vds/testkit/stack/with-stack';
import { benchViewsUnderFaults } from './views-under-faults.ts';

const benches: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  files: () => benchViewsUnderFaults('files'),
  clickhouse: () => benchViewsUnderFaults('clickhouse'),
  history: async () => {
    const lines: string[] = [];
    await withServers(async () => void lines.push(...(await benchHistory())));
    return lines;
  },
};

/** @param only one of `files`, `clickhouse` and `history`; by default all of them */
export async function benchViews(only?: string): Promise<void> {
  const chosen = Object.entries(benches).filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`Which part? One of: ${Object.keys(benches).join(', ')}.`);
  for (const [name, bench] of chosen) {
    const lines = await step(`views: ${name}`, bench);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}
