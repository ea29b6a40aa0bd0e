/** Prometheus metrics (prom-client): one registry a process. Names begin with `vds_` and end with their unit. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** The bounds of a histogram of seconds unless it has its own. */
export const secondsBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 1_800, 3_600,
];

/** A page without this one value is better than no page: what asks a server that hangs is left out. */
const defaultCollectMs = 4_000;

type Collect<L extends string> = (gauge: Gauge<L>) => Promise<void> | void;
type GaugeOptions<L extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: L[];
  readonly registers: Registry[];
};

/** One answer for all who ask while it is under way: gauges of one page that read the same thing. */
export function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let open: Promise<T> | undefined;
  return () => (open ??= ask().finally(() => (open = undefined)));
}

/**
 * A registry with Node's own metrics and makers of ours.
 * @param collectMs how long a value may be waited for while a page is written
 */
export function createMetrics(service: string, version = 'unknown', collectMs = defaultCollectMs) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const failures = aboutItself(registers, version);
  return {
    registry,
    counter: <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
      new Counter({ name, help, labelNames: [...labelNames], registers }),
    /**
     * @param collect called at each scrape to set the value. Where it throws or hangs the metric is missing on that page,
     * and `vds_metrics_failures_total` counts it.
     */
    gauge: <L extends string>(
      name: string,
      help: string,
      labelNames: readonly L[] = [],
      collect?: Collect<L>,
    ): Gauge<L> => {
      const options = { name, help, labelNames: [...labelNames], registers };
      if (!collect) return new Gauge(options);
      failures.inc({ metric: name }, 0);
      return asked(options, collect, collectMs, () => failures.inc({ metric: name }));
    },
    /** A histogram of seconds unless other buckets are given. */
    histogram: <L extends string>(
      name: string,
      help: string,
      labelNames: readonly L[] = [],
      buckets: readonly number[] = secondsBuckets,
    ): Histogram<L> => new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers }),
  };
}

/** What tells of the metrics themselves. */
function aboutItself(registers: Registry[], version: string) {
  const help = 'Always 1; which version runs';
  new Gauge({ name: 'vds_build_info', help, labelNames: ['version'], registers }).set({ version }, 1);
  return new Counter({
    name: 'vds_metrics_failures_total',
    help: 'Values that could not be had for a page of metrics, and are missing there',
    labelNames: ['metric'],
    registers,
  });
}

/** A gauge that is asked for at each scrape; `onFailure` is told when it could not be had. */
function asked<L extends string>(
  options: GaugeOptions<L>,
  collect: Collect<L>,
  collectMs: number,
  onFailure: () => void,
): Gauge<L> {
  return new Gauge({
    ...options,
    async collect(this: Gauge<L>) {
      try {
        await within(collect(this), collectMs);
      } catch {
        this.reset();
        if (options.labelNames.length === 0) this.remove();
        onFailure();
      }
    },
  });
}

async function within(work: Promise<void> | void, ms: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no value within ${ms} ms`)), ms);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
