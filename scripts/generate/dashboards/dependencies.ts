/** Dependencies of the services: database, messages, index, keys and Node.js. */
import { graph, here, rate, type Dashboard, type Query } from './panels.ts';

function byPod(metric: string, how: 'max' | 'sum' | 'min' = 'max', more = ''): Query {
  return {
    expr: `${how} by (service, pod) (${metric}{${here}${more}})`,
    legend: '{{pod}}',
  };
}

export const dependencies: Dashboard = {
  uid: 'vds-dependencies',
  title: 'VDS / Dependencies',
  description: 'Dependencies of the services: PostgreSQL, NATS, OpenSearch, keys and Node.js.',
  sections: [
    {
      title: 'Readiness',
      panels: [
        graph(
          'Failing checks',
          'short',
          [{ expr: `sum by (service, check) (1 - vds_check_passes{${here}}) > 0`, legend: '{{service}} {{check}}' }],
          { limits: [1, 1] },
        ),
        graph(
          'Replicas by version',
          'short',
          [{ expr: `sum by (service, version) (vds_build_info{${here}})`, legend: '{{service}} {{version}}' }],
          { stack: true },
        ),
        graph('Restarts', 'short', [
          {
            expr: `sum by (service) (changes(process_start_time_seconds{${here}}[$__rate_interval]))`,
            legend: '{{service}}',
          },
        ]),
      ],
    },
    {
      title: 'Messages',
      panels: [
        graph(
          'Outbox: rows',
          'short',
          [{ expr: `max by (service) (vds_outbox_rows{${here}})`, legend: '{{service}}' }],
          { stack: true },
        ),
        graph(
          'Outbox: oldest message',
          's',
          [{ expr: `max by (service) (vds_outbox_oldest_seconds{${here}})`, legend: '{{service}}' }],
          { limits: [60, 120] },
        ),
        graph('Connected to NATS', 'short', [
          { expr: `sum by (service) (vds_bus_connected{${here}})`, legend: '{{service}}' },
        ]),
        graph('Published', 'ops', [rate('vds_bus_published_total', here, ['service'])], { stack: true }),
        graph('Consumed by outcome', 'ops', [rate('vds_bus_consumed_total', here, ['service', 'outcome'])]),
        graph('Republished by catalog', 'ops', [rate('vds_catalog_republished_total', here, ['kind'])]),
      ],
    },
    {
      title: 'PostgreSQL and OpenSearch',
      panels: [
        graph(
          'Connections, and queries that wait for one',
          'short',
          [{ expr: `sum by (service, state) (vds_database_connections{${here}})`, legend: '{{service}} {{state}}' }],
          { stack: true },
        ),
        graph('Index lag', 's', [{ expr: `max(vds_indexer_lag_seconds{${here}})`, legend: 'oldest change' }], {
          limits: [60, 300],
        }),
        graph('Indexed documents', 'short', [
          { expr: `max by (state) (vds_indexer_documents{${here}})`, legend: '{{state}}' },
        ]),
        graph('Documents written', 'ops', [rate('vds_indexer_writes_total', here, ['outcome'])], { stack: true }),
        graph('Reindex due', 'none', [{ expr: `max(vds_indexer_reindex_due{${here}})`, legend: 'due' }]),
        graph('Metrics that could not be collected', 'short', [
          {
            expr: `sum by (service, metric) (increase(vds_metrics_failures_total{${here}}[$__rate_interval])) > 0`,
            legend: '{{service}} {{metric}}',
          },
        ]),
      ],
    },
    {
      title: 'Keys',
      panels: [
        graph('Age of the signing key', 's', [
          { expr: `max(vds_auth_signing_key_age_seconds{${here}})`, legend: 'signing key' },
        ]),
        graph('Active keys by pepper', 'short', [
          { expr: `max by (pepper) (vds_auth_active_keys{${here}})`, legend: '{{pepper}}' },
        ]),
        graph('Playback tokens signed', 'ops', [rate('vds_auth_playback_tokens_total', here, ['caller'])]),
      ],
    },
    {
      title: 'Node.js',
      panels: [
        graph('Event loop lag, p99', 's', [byPod('nodejs_eventloop_lag_p99_seconds')], { limits: [0.1, 0.25] }),
        graph('Heap used', 'bytes', [byPod('nodejs_heap_size_used_bytes')]),
        graph('Resident memory', 'bytes', [byPod('process_resident_memory_bytes')]),
        graph('CPU', 'short', [rate('process_cpu_seconds_total', here, ['service', 'pod'])]),
        graph('Open files', 'short', [byPod('process_open_fds')]),
        graph('Unknown failure codes', 'ops', [rate('vds_catalog_unknown_failures_total', here, [])]),
      ],
    },
  ],
};
