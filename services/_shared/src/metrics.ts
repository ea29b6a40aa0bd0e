/** Prometheus metrics (prom-client): one registry a process. Names begin with `vds_` and end with their unit. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 1_800, 3_600];

/** A registry with Node's own metrics and makers of ours. */
export const createMetrics = (service: string) => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    counter: <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
      new Counter({ name, help, labelNames: [...labelNames], registers }),
    /** @param collect called at each scrape to set the value; a scrape fails when it throws */
    gauge: <L extends string>(
      name: string,
      help: string,
      labelNames: readonly L[] = [],
      collect?: (gauge: Gauge<L>) => Promise<void> | void,
    ): Gauge<L> =>
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers,
        ...(collect && {
          collect(this: Gauge<L>) {
            return collect(this);
          },
        }),
      }),
    /** A histogram of seconds unless other buckets are given. */
    histogram: <L extends string>(
      name: string,
      help: string,
      labelNames: readonly L[] = [],
      buckets: readonly number[] = secondsBuckets,
    ): Histogram<L> => new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers }),
  };
};
