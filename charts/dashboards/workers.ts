/** The five metrics of every worker, and what each of them counts beside. */
import { graph, here, quantiles, rate, type Dashboard, type Query } from './panels.ts';

/** Rows are everybody's, so every replica tells the same. */
function told(metric: string, by: readonly string[]): Query {
  return {
    expr: `max by (${by.join(', ')}) (${metric}{${here}})`,
    legend: by.map((label) => `{{${label}}}`).join(' '),
  };
}

export const workers: Dashboard = {
  uid: 'vds-workers',
  title: 'VDS / Workers',
  description: 'What waits, what runs, how long it takes and what comes of it.',
  sections: [
    {
      title: 'Queues',
      panels: [
        graph('Ready', 'short', [told('vds_work_ready', ['service', 'queue'])], { stack: true }),
        graph('Oldest that is ready', 's', [told('vds_work_oldest_ready_seconds', ['service', 'queue'])], {
          limits: [600, 900],
        }),
        graph('Running', 'short', [{ expr: `sum by (service) (vds_work_running{${here}})`, legend: '{{service}}' }], {
          stack: true,
        }),
        graph('Tries by outcome', 'ops', [rate('vds_work_tries_total', here, ['queue', 'outcome'])], { stack: true }),
        graph('Tries that came to nothing', 'ops', [
          rate('vds_work_tries_total', `${here}, outcome=~"retried|unsettled|lost|failed"`, ['queue', 'outcome']),
        ]),
        graph(
          'Seconds of a try, p95',
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
          'Encodes, seconds of a piece',
          's',
          quantiles('vds_work_seconds', `${here}, queue="encode", outcome="done"`),
        ),
        graph(
          'Sandbox level',
          'none',
          [{ expr: `min by (service) (vds_sandbox_level{${here}})`, legend: '{{service}}' }],
          { description: '2: namespaces, 1: limits alone.' },
        ),
      ],
    },
    {
      title: 'captions',
      panels: [
        graph('Tracks by what became of them', 'ops', [rate('vds_captions_tracks_total', here, ['status', 'reason'])], {
          stack: true,
        }),
        graph(
          'Calls of engines, p95',
          's',
          quantiles('vds_captions_engine_seconds', here, ['engine', 'kind']).slice(1, 2),
        ),
        graph('Calls of engines that failed', 'ops', [
          rate('vds_captions_engine_errors_total', here, ['engine', 'class']),
        ]),
        graph('Sound listened to, seconds a second', 'short', [rate('vds_captions_speech_seconds_total', here, [])]),
      ],
    },
    {
      title: 'metadata',
      panels: [
        graph('Steps of a look, p95', 's', quantiles('vds_metadata_step_seconds', here, ['step']).slice(1, 2)),
        graph('Pictures looked at', 'ops', [rate('vds_metadata_pictures_total', here, ['use'])], { stack: true }),
        graph('Texts found, and spans without a reader', 'ops', [
          { ...rate('vds_metadata_texts_total', here, []), legend: 'texts' },
          { ...rate('vds_metadata_unread_spans_total', here, []), legend: 'spans without a program to read with' },
        ]),
      ],
    },
  ],
};
