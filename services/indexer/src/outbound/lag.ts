/** How long the oldest change that was heard has not been written: what a dashboard calls the index's lag. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';

/** What nobody has tried for that long is another replica's by now. */
const forgetMs = 120_000;

export function openLag(metrics: Metrics) {
  const open = new Map<string, { readonly since: number; touched: number }>();
  metrics.gauge(
    'vds_indexer_lag_seconds',
    'Age of the oldest change that was heard and is not written',
    [],
    (gauge) => {
      const now = Date.now();
      for (const [key, { touched }] of open) if (now - touched > forgetMs) open.delete(key);
      const oldest = Math.min(now, ...[...open.values()].map(({ since }) => since));
      gauge.set((now - oldest) / 1_000);
    },
  );
  return {
    /** Runs `work`; the change stays open where it fails, as it will be heard again. */
    around: async (key: string, work: () => Promise<void>): Promise<void> => {
      const now = Date.now();
      const entry = open.get(key) ?? { since: now, touched: now };
      entry.touched = now;
      open.set(key, entry);
      await work();
      open.delete(key);
    },
  };
}
