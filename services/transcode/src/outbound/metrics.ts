/** The metrics of transcode beside those that every worker has. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';

export function createTranscodeMetrics(metrics: Metrics) {
  return {
    encodedAsOne: metrics.counter(
      'vds_transcode_encoded_as_one_total',
      'Videos whose pieces could not be joined: one worker encodes them again',
    ),
  };
}
