/**
 * What Prometheus scrapes from a release through a night: two pods of each component with the metrics that alerts read, as
 * the services report them while all is well, and while a server or a component is away.
 */
import { events } from '@vds/proto/events';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';

/** The value at a minute of the night; undefined where the scrape has none. */
export type Show = (minute: number) => number | undefined;
export type Span = readonly [from: number, to: number];
export type Night = {
  readonly hours: number;
  /** Servers and components that are away, in minutes. A component that is away crashes at each start. */
  readonly away?: Readonly<Partial<Record<'postgres' | 'nats' | ServiceName, Span>>>;
  /** What else is different: series by a pattern, replaced. */
  readonly changes?: readonly (readonly [series: RegExp, show: Show])[];
  /** Series of others, such as those of kube-state-metrics. */
  readonly more?: Readonly<Record<string, Show>>;
};

/** Scrapes and evaluations. */
export const STEP_SECONDS = 60;
const STEP_MINUTES = STEP_SECONDS / 60;
/** With two pods a component is as ready, or as away, as its two. */
const pods = ['a2x9k', 'b7d4c'] as const;
/** Requests a minute: partners ask for the states of their videos, a hundred viewers watch. */
const API_RATE = 60;
const PLAYBACK_RATES = { entry: 30, segment: 1_000, thumbnail: 100, none: 5 } as const;
const MINT_RATE = 20;

const queues: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  ingest: ['fetch'],
  transcode: ['inspect', 'encode'],
  captions: ['transcribe', 'translate'],
  metadata: ['analyze', 'document'],
};
const stageOwners: Readonly<Record<string, ServiceName>> = {
  ...{ fetch: 'ingest', inspect: 'transcode', encode: 'transcode', captions: 'captions', metadata: 'metadata' },
};
/** Gauges over rows: missing from a scrape while the database is away. */
const rowGauges = /^vds_(?:outbox_|work_oldest|work_ready|catalog_o|catalog_silent)/;
const usesEvents = new Set<string>(
  Object.values(events).flatMap(({ owner, consumers }) => [owner, ...Object.keys(consumers)]),
);
const withOutbox = new Set<ServiceName>(['catalog', 'ingest', 'transcode', 'captions', 'metadata']);

/** Every series of a night. */
export function seriesOf(night: Night): Map<string, Show> {
  const all = new Map(serviceNames.flatMap((service) => pods.flatMap((pod) => ofPod(night, service, pod))));
  for (const [series, show] of all) {
    const change = night.changes?.find(([pattern]) => pattern.test(series))?.[1];
    all.set(series, change ?? show);
  }
  for (const [series, show] of Object.entries(night.more ?? {})) all.set(series, show);
  return all;
}

/** Sums up a rate, in tenths of a step; called once for each scrape, in their order. */
export function counter(perMinute: (minute: number) => number): Show {
  let sum = 0;
  return (minute) => {
    for (let tenth = 1; tenth <= 10; tenth++)
      sum += (perMinute(minute - (tenth * STEP_MINUTES) / 10) * STEP_MINUTES) / 10;
    return sum;
  };
}

/** For how many minutes it has been away; undefined while it is there. */
function awayFor({ away = {} }: Night, what: keyof NonNullable<Night['away']>, minute: number): number | undefined {
  const [from, to] = away[what] ?? [0, 0];
  return minute >= from && minute < to ? minute - from : undefined;
}

function ofPod(night: Night, service: ServiceName, id: string): [string, Show][] {
  const labels = `namespace="video", release="vds", service="${service}", pod="vds-${service}-7d9c6b5f4-${id}"`;
  const isAway = (minute: number): boolean => awayFor(night, service, minute) !== undefined;
  const hasRows = (minute: number): boolean =>
    !rowOf(service).database || awayFor(night, 'postgres', minute) === undefined;
  const own: readonly [name: string, more: string, show: Show][] = [
    ...processSeries(night, service),
    ...(usesEvents.has(service) ? messageSeries(night, service) : []),
    ...(service === 'catalog' ? catalogSeries(night) : []),
    ...trafficSeries(night, service),
    ...(queues[service] ?? []).flatMap((queue) => queueSeries(queue)),
  ];
  return [
    [`up{${labels}, part_of="vds"}`, (minute) => (isAway(minute) ? 0 : 1)],
    ...own.map(([name, more, show]): [string, Show] => [
      `${name}{${labels}${more === '' ? '' : `, ${more}`}}`,
      // Counters go on while nobody reads them.
      (minute) => {
        const value = show(minute);
        return isAway(minute) || (rowGauges.test(name) && !hasRows(minute)) ? undefined : value;
      },
    ]),
  ];
}

function processSeries(night: Night, service: ServiceName): [string, string, Show][] {
  const failing = (minute: number): string | undefined => {
    if (rowOf(service).database && awayFor(night, 'postgres', minute) !== undefined) return 'database';
    return service === 'ingest' && awayFor(night, 'nats', minute) !== undefined ? 'bus' : undefined;
  };
  const checks = [...(rowOf(service).database ? ['database'] : []), ...(service === 'ingest' ? ['bus'] : [])];
  return [
    ['vds_build_info', 'version="1.0.0"', () => 1],
    ['process_start_time_seconds', 'part_of="vds"', () => 0],
    ['vds_ready', '', (minute) => (failing(minute) === undefined ? 1 : 0)],
    ...checks.map((check): [string, string, Show] => [
      'vds_check_passes',
      `check="${check}"`,
      (minute) => (failing(minute) === check ? 0 : 1),
    ]),
    ...(rowOf(service).database ? ['vds_outbox_rows', 'vds_work_ready'] : []).map((metric): [string, string, Show] => [
      'vds_metrics_failures_total',
      `metric="${metric}"`,
      counter((minute) => (awayFor(night, 'postgres', minute) === undefined ? 0 : 1 / STEP_MINUTES)),
    ]),
  ];
}

function messageSeries(night: Night, service: ServiceName): [string, string, Show][] {
  const outage = (minute: number): number | undefined => awayFor(night, 'nats', minute);
  return [
    ['vds_bus_connected', '', (minute) => (outage(minute) === undefined ? 1 : 0)],
    ['vds_bus_paused', '', () => 0],
    ...(withOutbox.has(service)
      ? [['vds_outbox_oldest_seconds', '', (minute: number) => 60 * (outage(minute) ?? 0)] as [string, string, Show]]
      : []),
  ];
}

/** Some videos are in processing all night long. */
function catalogSeries(night: Night): [string, string, Show][] {
  return [
    ...Object.entries(stageOwners).flatMap(([stage, owner]): [string, string, Show][] => {
      const stopped = (minute: number): number =>
        60 * Math.max(awayFor(night, 'nats', minute) ?? 0, awayFor(night, owner, minute) ?? 0);
      return [
        ['vds_catalog_silent_seconds', `stage="${stage}"`, (minute) => 20 + stopped(minute)],
        ['vds_catalog_oldest_request_seconds', `stage="${stage}"`, (minute) => 5 + stopped(minute)],
      ];
    }),
    ['vds_catalog_overdue_videos', '', () => 0],
    ['vds_catalog_oldest_purge_seconds', '', () => 0],
    ['vds_catalog_time_to_ready_ratio_count', '', counter(() => 0.2)],
    ['vds_catalog_time_to_ready_ratio_bucket', 'le="1"', counter(() => 0.2)],
    ['vds_catalog_transitions_total', 'from="processing", to="ready"', counter(() => 0.2)],
  ];
}

/** Requests of partners, viewers and the apps: half of them to each of the two pods. */
function trafficSeries(night: Night, service: ServiceName): [string, string, Show][] {
  const isDown =
    (...all: Parameters<typeof awayFor>[1][]) =>
    (minute: number): boolean =>
      all.some((one) => awayFor(night, one, minute) !== undefined);
  const share = (rate: number, isShown: (minute: number) => boolean): Show =>
    counter((minute) => (isShown(minute) ? rate / pods.length : 0));
  if (service === 'gateway') {
    const down = isDown('postgres', 'auth', 'catalog');
    const request = (status: number): string => `method="GET", route="/v1/videos/{id}", status="${status}"`;
    return [
      ['vds_http_seconds_count', request(200), share(API_RATE, (minute) => !down(minute))],
      ['vds_http_seconds_bucket', `${request(200)}, le="0.5"`, share(API_RATE, (minute) => !down(minute))],
      ['vds_http_seconds_count', request(500), share(API_RATE, down)],
      ['vds_http_seconds_bucket', `${request(500)}, le="0.5"`, share(API_RATE, down)],
    ];
  }
  if (service === 'playback')
    return Object.entries(PLAYBACK_RATES).flatMap(([route, rate]): [string, string, Show][] => [
      [
        'vds_http_seconds_count',
        `method="GET", route="${route}", status="${route === 'none' ? 404 : 200}"`,
        share(rate, () => true),
      ],
      // An old address, an expired token, a title that has gone.
      ['vds_http_seconds_count', `method="GET", route="${route}", status="401"`, share(rate * 0.02, () => true)],
      [
        'vds_http_seconds_count',
        `method="GET", route="${route}", status="404"`,
        share(route === 'none' ? 0 : rate * 0.01, () => true),
      ],
    ]);
  if (service === 'auth') {
    const mint = 'method="/vds.auth.v1.AuthService/MintPlaybackToken"';
    const down = isDown('postgres');
    return [
      ['vds_rpc_server_seconds_count', `${mint}, code="OK"`, share(MINT_RATE, (minute) => !down(minute))],
      ['vds_rpc_server_seconds_count', `${mint}, code="INTERNAL"`, share(MINT_RATE, down)],
    ];
  }
  return service === 'ingest' ? [['vds_ingest_bytes_fetched_total', '', share(60e6, () => true)]] : [];
}

function queueSeries(queue: string): [string, string, Show][] {
  return [
    ['vds_work_oldest_ready_seconds', `queue="${queue}"`, () => 2],
    ['vds_work_tries_total', `queue="${queue}", outcome="done"`, counter(() => 0.5)],
    ['vds_work_breaker_open', `queue="${queue}"`, () => 0],
  ];
}
