/** The metrics of every worker, and those of each service. */
import { graph, here, quantiles, rate, type Dashboard, type Query } from './panels.ts';

/** Metrics of tables: every replica reports the same. */
function shared(metric: string, by: readonly string[]): Query {
  return {
    expr: `max by (${by.join(', ')}) (${metric}{${here}})`,
    legend: by.map((label) => `{{${label}}}`).join(' '),
  };
}

export const workers: Dashboard = {
  uid: 'vds-workers',
  title: 'VDS / Workers',
  description: 'Jobs of the workers: ready, running, durations and outcomes.',
  sections: [
    {
      title: 'Queues',
      panels: [
        graph('Ready', 'short', [shared('vds_work_ready', ['service', 'queue'])], { stack: true }),
        graph('Oldest ready job', 's', [shared('vds_work_oldest_ready_seconds', ['service', 'queue'])], {
          limits: [600, 900],
        }),
        graph('Running', 'short', [{ expr: `sum by (service) (vds_work_running{${here}})`, legend: '{{service}}' }], {
          stack: true,
        }),
        graph('Paused queues', 'short', [shared('vds_work_breaker_open', ['service', 'queue'])]),
        graph('Tries by outcome', 'ops', [rate('vds_work_tries_total', here, ['queue', 'outcome'])], {
          stack: true,
        }),
        graph('Failed tries', 'ops', [
          rate('vds_work_tries_total', `${here}, outcome=~"retried|unsettled|lost|failed"`, ['queue', 'outcome']),
        ]),
        graph(
          'Duration of a try, p95',
          's',
          quantiles('vds_work_seconds', `${here}, outcome="done"`, ['queue']).slice(1, 2),
        ),
      ],
    },
    {
      title: 'ingest and transcode',
      panels: [
        graph('Bytes fetched', 'Bps', [rate('vds_ingest_bytes_fetched_total', here, ['pod'])], { stack: true }),
        graph(
          'Duration of encoding a piece',
          's',
          quantiles('vds_work_seconds', `${here}, queue="encode", outcome="done"`),
        ),
        graph(
          'Sandbox level',
          'none',
          [{ expr: `min by (service) (vds_sandbox_level{${here}})`, legend: '{{service}}' }],
          { description: '2: confined, 1: limits only.' },
        ),
      ],
    },
    {
      title: 'captions',
      panels: [
        graph('Tracks by outcome', 'ops', [rate('vds_captions_tracks_total', here, ['status', 'reason'])], {
          stack: true,
        }),
        graph('Engine calls, p95', 's', quantiles('vds_captions_engine_seconds', here, ['engine', 'kind']).slice(1, 2)),
        graph('Failed engine calls', 'ops', [rate('vds_captions_engine_errors_total', here, ['engine', 'class'])]),
        graph('Transcribed audio, seconds per second', 'short', [rate('vds_captions_speech_seconds_total', here, [])]),
      ],
    },
    {
      title: 'metadata',
      panels: [
        graph('Analysis steps, p95', 's', quantiles('vds_metadata_step_seconds', here, ['step']).slice(1, 2)),
        graph('Analyzed frames', 'ops', [rate('vds_metadata_pictures_total', here, ['use'])], { stack: true }),
        graph('Texts found, and spans without OCR', 'ops', [
          { ...rate('vds_metadata_texts_total', here, []), legend: 'texts' },
          { ...rate('vds_metadata_unread_spans_total', here, []), legend: 'spans without OCR' },
        ]),
      ],
    },
  ],
};
