/** Prometheus metrics (prom-client): one registry per process. Names start with `vds_` and end with their unit. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from '../async.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Default buckets of a histogram of seconds. */
export const secondsBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 1_800, 3_600,
];

/** How long collecting one value may take: a scrape without a metric is better than no scrape. */
const DEFAULT_COLLECT_MS = 4_000;

type Collect<L extends string> = (gauge: Gauge<L>) => Promise<void> | void;
type GaugeOptions<L extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: L[];
  readonly registers: Registry[];
};

/**
 * A registry with Node's own metrics, and functions that register further ones. A metric has one registration in a process:
 * who asks for its name again gets the same one, and a gauge is collected as it was asked for last.
 * @param collectMs how long the value of a gauge may take during a scrape
 */
export function createMetrics(service: string, version = 'unknown', collectMs = DEFAULT_COLLECT_MS) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  // Its own period, 10 ms, would wake an idle process a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  const registers = [registry];
  const failures = registerOwnMetrics(registers, version);
  const registered = <M>(name: string): M | undefined => registry.getSingleMetric(name) as M | undefined;
  return {
    registry,
    counter: <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
      registered<Counter<L>>(name) ?? new Counter({ name, help, labelNames: [...labelNames], registers }),
    /**
     * @param collect called at each scrape to set the value. If it throws or hangs, the metric is missing from that
     * scrape and counted in `vds_metrics_failures_total`.
     */
    gauge: <L extends string>(
      name: string,
      help: string,
      labelNames: readonly L[] = [],
      collect?: Collect<L>,
    ): Gauge<L> => {
      const options = { name, help, labelNames: [...labelNames], registers };
      if (!collect) return registered<Gauge<L>>(name) ?? new Gauge(options);
      registry.removeSingleMetric(name);
      failures.inc({ metric: name }, 0);
      return collectedGauge(options, collect, collectMs, () => failures.inc({ metric: name }));
    },
    /** A histogram of seconds unless other buckets are given. */
    histogram: <L extends string>(
      name: string,
      help: string,
      labelNames: readonly L[] = [],
      buckets: readonly number[] = secondsBuckets,
    ): Histogram<L> =>
      registered<Histogram<L>>(name) ??
      new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers }),
  };
}

function registerOwnMetrics(registers: Registry[], version: string) {
  const help = 'Always 1, labelled with the running version';
  new Gauge({ name: 'vds_build_info', help, labelNames: ['version'], registers }).set({ version }, 1);
  return new Counter({
    name: 'vds_metrics_failures_total',
    help: 'Metrics missing from a scrape because their value could not be collected',
    labelNames: ['metric'],
    registers,
  });
}

/** A gauge that is collected at each scrape. */
function collectedGauge<L extends string>(
  options: GaugeOptions<L>,
  collect: Collect<L>,
  collectMs: number,
  onFailure: () => void,
): Gauge<L> {
  return new Gauge({
    ...options,
    async collect(this: Gauge<L>) {
      try {
        await withTimeout(collect(this), collectMs);
      } catch {
        this.reset();
        if (options.labelNames.length === 0) this.remove();
        onFailure();
      }
    },
  });
}
