/** The product for partners and viewers: the pipeline of videos, service levels, traffic. */
import { figure, graph, here, quantiles, rate, type Dashboard, type Query } from './panels.ts';
const funnel: readonly Query[] = [
  moved('accepted', 'none', 'processing'),
  consumed('fetched', 'ingest.fetch.completed.v1'),
  consumed('inspected', 'transcode.inspect.completed.v1'),
  consumed('encoded', 'transcode.encode.completed.v1'),
  consumed('captions', 'captions.captions.completed.v1'),
  consumed('metadata', 'metadata.metadata.completed.v1'),
  moved('ready', 'processing', 'ready'),
  moved('archived at once', 'processing', 'archived'),
  moved('failed', 'processing', 'failed'),
];
const fastShare = `sum(increase(vds_http_seconds_bucket{${here}, service="gateway", le="0.5"}[$__range])) / sum(increase(vds_http_seconds_count{${here}, service="gateway"}[$__range]))`;
const readyShare = `sum(increase(vds_catalog_time_to_ready_ratio_bucket{${here}, le="1"}[$__range])) / sum(increase(vds_catalog_time_to_ready_ratio_count{${here}}[$__range]))`;

export const overview: Dashboard = {
  uid: 'vds-overview',
  title: 'VDS / Overview',
  description: 'Videos from POST to ready, service levels, and traffic of partners and viewers.',
  sections: [
    {
      title: 'From POST to ready',
      panels: [
        {
          type: 'bargauge',
          title: 'Videos in the selected time range',
          description: 'Stages are counted by the events that catalog consumed; republished events count again.',
          unit: 'short',
          queries: funnel,
        },
        graph(
          'Open stages',
          'short',
          [{ expr: `max by (stage, state) (vds_catalog_open_stages{${here}})`, legend: '{{stage}} {{state}}' }],
          { stack: true },
        ),
        graph('Time to ready', 's', quantiles('vds_catalog_time_to_ready_seconds', here)),
        graph(
          'Time to ready relative to its target',
          'percentunit',
          quantiles('vds_catalog_time_to_ready_ratio', here),
          { limits: [0.75, 1] },
        ),
        graph(
          'Failures by code',
          'short',
          [
            {
              expr: `sum by (code) (increase(vds_catalog_failures_total{${here}}[$__rate_interval])) > 0`,
              legend: '{{code}}',
            },
          ],
          { stack: true },
        ),
        graph(
          'Oldest request that has not started',
          's',
          [{ expr: `max by (stage) (vds_catalog_oldest_request_seconds{${here}})`, legend: '{{stage}}' }],
          { limits: [900, 1800] },
        ),
      ],
    },
    {
      title: 'Service levels',
      panels: [
        figure('Partners: requests without 5xx', 'percentunit', goodShare('gateway')),
        figure('Partners: requests within 0.5 s', 'percentunit', fastShare),
        figure('Viewers: requests without 5xx', 'percentunit', goodShare('playback')),
        figure('Videos ready in time', 'percentunit', readyShare),
        figure('Overdue videos', 'short', `max(vds_catalog_overdue_videos{${here}})`, { limits: [1, 10] }),
        figure('Oldest unconfirmed purge', 's', `max(vds_catalog_oldest_purge_seconds{${here}})`, {
          limits: [300, 900],
        }),
        burn('Budget burn: API errors', 'api_errors', 'api_availability'),
        burn('Budget burn: API latency', 'api_slow', 'api_latency'),
        burn('Budget burn: playback errors', 'playback_errors', 'playback_availability'),
        burn('Budget burn: time to ready', 'late_videos', 'time_to_ready'),
      ],
    },
    {
      title: 'Partners and viewers',
      panels: [
        graph(
          'Partners: requests by status',
          'reqps',
          [rate('vds_http_seconds_count', `${here}, service="gateway"`, ['status'])],
          { stack: true },
        ),
        graph(
          'Viewers: requests by status',
          'reqps',
          [rate('vds_http_seconds_count', `${here}, service="playback"`, ['status'])],
          { stack: true },
        ),
        graph('Bytes to viewers', 'Bps', [rate('vds_playback_sent_bytes_total', here, ['kind'])], { stack: true }),
        graph('API key checks by outcome', 'reqps', [rate('vds_auth_decisions_total', here, ['outcome'])], {
          stack: true,
        }),
        graph('Videos rejected by the daily limit', 'ops', [rate('vds_catalog_daily_limit_total', here, [])]),
        graph('State transitions of videos', 'ops', [rate('vds_catalog_transitions_total', here, ['from', 'to'])]),
      ],
    },
  ],
};

function burn(title: string, record: string, name: string) {
  return graph(
    title,
    'short',
    ['1h', '6h', '3d'].map((window) => ({
      expr: `vds:${record}:ratio_rate${window}{${here}} / on () group_left () (1 - vds:setting{name="${name}"})`,
      legend: window,
    })),
    { width: 6, description: '1 spends a month’s budget in a month; pages fire from 14.4 over 1 h and 6 over 6 h.' },
  );
}

function consumed(legend: string, subject: string): Query {
  return {
    expr: `sum(increase(vds_bus_consumed_total{${here}, service="catalog", subject="${subject}", outcome="done"}[$__range]))`,
    legend,
  };
}

function moved(legend: string, from: string, to: string): Query {
  return {
    expr: `sum(increase(vds_catalog_transitions_total{${here}, from="${from}", to="${to}"}[$__range]))`,
    legend,
  };
}

function goodShare(service: string): string {
  return `1 - (sum(increase(vds_http_seconds_count{${here}, service="${service}", status=~"5.."}[$__range])) or vector(0)) / sum(increase(vds_http_seconds_count{${here}, service="${service}"}[$__range]))`;
}
