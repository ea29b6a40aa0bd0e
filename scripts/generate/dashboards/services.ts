/** Rate, errors and duration of every HTTP and RPC port. */
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { graph, here, quantiles, rate, type Dashboard } from './panels.ts';
const failing = 'code=~"INTERNAL|UNAVAILABLE|DEADLINE_EXCEEDED"';

export const services: Dashboard = {
  uid: 'vds-services',
  title: 'VDS / Services',
  description: 'Rate, errors and duration of every service with HTTP or RPC.',
  sections: [
    {
      title: 'All',
      panels: [
        graph(
          'RPC error ratio',
          'percentunit',
          [
            {
              expr: `sum by (service) (rate(vds_rpc_server_seconds_count{${here}, ${failing}}[$__rate_interval])) / sum by (service) (rate(vds_rpc_server_seconds_count{${here}}[$__rate_interval]))`,
              legend: '{{service}}',
            },
          ],
          { limits: [0.01, 0.05] },
        ),
        graph('RPC by error code', 'reqps', [
          rate('vds_rpc_server_seconds_count', `${here}, code!="OK"`, ['service', 'code']),
        ]),
        graph('Ready replicas', 'short', [{ expr: `sum by (service) (vds_ready{${here}})`, legend: '{{service}}' }]),
      ],
    },
    ...serviceNames.filter((name) => rowOf(name).ports.includes('http')).map(httpSection),
    {
      title: 'edge',
      panels: [
        graph('Connections', 'short', [
          { expr: `sum by (state) (vds_edge_connections{${here}, state!="active"})`, legend: '{{state}}' },
        ]),
        graph('Connections by pod', 'short', [
          { expr: `sum by (pod) (vds_edge_connections{${here}, state="active"})`, legend: '{{pod}}' },
        ]),
        graph('Questions to the gate', 'reqps', [
          rate('vds_http_seconds_count', `${http('playback')}, route="gate"`, ['status']),
        ]),
      ],
    },
    ...serviceNames.filter((name) => rowOf(name).ports.includes('rpc')).map(rpcSection),
    {
      title: 'Performance data',
      panels: [
        graph('Reports of views by outcome', 'ops', [rate('vds_playback_view_reports_total', here, ['outcome'])]),
        graph('Events by outcome', 'ops', [rate('vds_analytics_events_total', here, ['outcome'])]),
        graph('Age of the oldest report that is not stored', 's', [
          { expr: `max by (pod) (vds_bus_oldest_batched_seconds{${here}})`, legend: '{{pod}}' },
        ]),
        graph(
          'Age of an event when it is stored, p95',
          's',
          quantiles('vds_analytics_event_age_seconds', here).slice(1, 2),
        ),
      ],
    },
    {
      title: 'playback and indexer: dependencies',
      panels: [
        graph('Gate and object reads by outcome', 'ops', [
          rate('vds_playback_gate_reads_total', here, ['outcome']),
          rate('vds_playback_object_reads_total', here, ['outcome']),
        ]),
        graph('Open object reads', 'short', [
          { expr: `sum by (pod) (vds_playback_open_reads{${here}})`, legend: '{{pod}}' },
        ]),
        graph('Index queries, p95', 's', quantiles('vds_indexer_query_seconds', here, ['kind']).slice(1, 2)),
      ],
    },
  ],
};

function rpcSection(service: string) {
  return {
    title: `${service}: RPC`,
    panels: [
      graph('Rate', 'reqps', [rate('vds_rpc_server_seconds_count', http(service), ['method'])], { stack: true }),
      graph('Errors', 'reqps', [
        rate('vds_rpc_server_seconds_count', `${http(service)}, ${failing}`, ['method', 'code']),
      ]),
      graph('Duration, p95', 's', quantiles('vds_rpc_server_seconds', http(service), ['method']).slice(1, 2)),
    ],
  };
}

function http(service: string) {
  return `${here}, service="${service}"`;
}

function httpSection(service: string) {
  return {
    title: `${service}: HTTP`,
    panels: [
      graph('Rate', 'reqps', [rate('vds_http_seconds_count', http(service), ['method', 'route'])], { stack: true }),
      graph('Errors', 'reqps', [
        rate('vds_http_seconds_count', `${http(service)}, status=~"5.."`, ['route', 'status']),
      ]),
      graph('Duration, p95', 's', quantiles('vds_http_seconds', http(service), ['route']).slice(1, 2)),
    ],
  };
}
