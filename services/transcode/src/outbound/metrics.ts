/** The metrics of transcode beside those that every worker has. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';

export function createTranscodeMetrics(metrics: Metrics) {
  return {
    encodedAsOne: metrics.counter(
      'vds_transcode_encoded_as_one_total',
      'Videos whose pieces could not be joined: one worker encodes them again',
    ),
    copyRejected: metrics.counter(
      'vds_transcode_copies_rejected_total',
      'Pieces whose largest rung was to be copied and had to be encoded',
    ),
    readBytes: metrics.counter(
      'vds_transcode_read_bytes_total',
      'Bytes of sources, and of copies of their pieces, that were read from storage',
    ),
    readWhole: metrics.counter(
      'vds_transcode_sources_read_whole_total',
      'Pieces for which the bytes that were planned did not suffice: their worker read the whole source',
    ),
  };
}
