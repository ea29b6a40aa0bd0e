/** The metrics of metadata. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';

export type Step = 'picture' | 'text' | 'sound' | 'embed' | 'document';

export function createMetadataMetrics(metrics: Metrics) {
  const pictures = metrics.counter('vds_metadata_pictures_total', 'Frames decoded, by use', ['use']);
  const texts = metrics.counter('vds_metadata_texts_total', 'Lines of text found on screen');
  const unread = metrics.counter('vds_metadata_unread_spans_total', 'Spans without a program to read text with');
  const unembedded = metrics.counter(
    'vds_metadata_documents_without_vectors_total',
    'Documents written while the embeddings engine failed',
  );
  const seconds = metrics.histogram('vds_metadata_step_seconds', 'Duration of a step of an analysis', ['step']);
  return {
    pictures: (use: 'sample' | 'reading', count: number): void => pictures.inc({ use }, count),
    texts: (count: number): void => texts.inc(count),
    vectorsSkipped: (): void => unembedded.inc(),
    textSkipped: (): void => unread.inc(),
    /** Times a step, however it ends. */
    timed: async <T>(step: Step, work: () => Promise<T>): Promise<T> => {
      const stop = seconds.startTimer({ step });
      try {
        return await work();
      } finally {
        stop();
      }
    },
  };
}
export type MetadataMetrics = ReturnType<typeof createMetadataMetrics>;
