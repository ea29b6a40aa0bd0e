/** The metrics of ingest beside those that every worker has. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';

export function createIngestMetrics(metrics: Metrics) {
  const fetched = metrics.counter('vds_ingest_bytes_fetched_total', 'Bytes of source files received');
  return { onBytes: (count: number): void => fetched.inc(count) };
}
