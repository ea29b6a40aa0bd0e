/** The metrics of transcode beside those that every worker has. */
import type { Sandbox } from '@vds/chassis/sandbox/sandbox';
import type { Metrics } from '@vds/chassis/telemetry/metrics';

export function createTranscodeMetrics(metrics: Metrics, sandbox: Sandbox) {
  metrics
    .gauge('vds_sandbox_level', 'How child programs are sandboxed: 2 namespaces, 1 limits alone', [])
    .set(sandbox === 'namespaces' ? 2 : 1);
  return {
    encodedAsOne: metrics.counter(
      'vds_transcode_encoded_as_one_total',
      'Titles whose pieces could not be joined: one worker encodes them again',
    ),
  };
}
