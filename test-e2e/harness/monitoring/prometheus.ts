/** A Prometheus on this host that watches a release as the chart's ServiceMonitors and PrometheusRules define. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prometheus } from '@vds/testkit/programs/prometheus';
import { freePort } from '@vds/testkit/servers/free-port';
import { writeCredentials } from '../cluster/credentials.ts';
import { openDiscovery, scrapeConfigs, type Discovery } from './discovery.ts';
import { runOnHost } from '../cluster/host-program.ts';
import { releaseValues } from '../cluster/install.ts';
import { ruleGroups, serviceMonitors, type Watched } from './monitors.ts';
import { release } from '../cluster/release.ts';

export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };
export type Alert = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
};

export type Prometheus = {
  /** `http://127.0.0.1:<port>`; processes of this host reach it. */
  readonly url: string;
  /**
   * The current value of an expression: one sample for each series. @throws with Prometheus's message if the query
   * fails
   */
  readonly query: (promql: string) => Promise<readonly Sample[]>;
  /** Alerts that are pending or firing. */
  readonly alerts: () => Promise<readonly Alert[]>;
  readonly close: () => Promise<void>;
};

export type PrometheusOptions = Partial<Watched> & {
  /** Scrape and evaluation interval. */
  readonly interval?: string;
};

type Answer<T> = { readonly status: string; readonly error?: string; readonly data: T };
type Vector = { readonly result: readonly { metric: Record<string, string>; value: [number, string] }[] };

type Setup = { readonly config: string; readonly discovery: Discovery };

/** The skip reason when `prometheus()` of `@vds/testkit/programs/prometheus` finds none. */
export const NO_PROMETHEUS = 'prometheus is neither on PATH nor in the tools folder, and apt has no package of it';

/** Starts it and waits until it has scraped metrics of the release, by default of the release under test. */
export async function openPrometheus(options: PrometheusOptions = {}): Promise<Prometheus> {
  const { interval = '5s', namespace = release.namespace, release: name = release.name } = options;
  const path = await prometheus();
  if (path === null) throw new Error(NO_PROMETHEUS);
  const dir = await mkdtemp(join(tmpdir(), 'vds-prometheus-'));
  const watched = { namespace, release: name, values: options.values ?? releaseValues() };
  const { config, discovery } = await setUp(dir, interval, watched);
  const listen = `127.0.0.1:${await freePort()}`;
  const data = ['--storage.tsdb.path', join(dir, 'data'), '--storage.tsdb.retention.time', '6h'];
  const args = ['--config.file', config, '--web.listen-address', listen, ...data];
  const program = runOnHost(path, args, join(dir, 'log'));
  const ask = asker(`http://${listen}`);
  const close = async (): Promise<void> => {
    await program.close();
    await discovery.close();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await program.ready(async () => (await ask.query(`up{namespace="${namespace}",release="${name}"} == 1`)).length);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://${listen}`, ...ask, close };
}

async function setUp(dir: string, interval: string, watched: Watched): Promise<Setup> {
  const credentials = await writeCredentials(dir);
  const monitors = await serviceMonitors(watched);
  const rules = join(dir, 'rules.yaml');
  const config = join(dir, 'prometheus.yaml');
  // JSON is YAML.
  await writeFile(rules, JSON.stringify({ groups: await ruleGroups(watched) }));
  const global = { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval };
  const discovery = await openDiscovery(monitors, watched.namespace, credentials);
  const scraped = scrapeConfigs(monitors, discovery.url, credentials);
  await writeFile(config, JSON.stringify({ global, rule_files: [rules], scrape_configs: scraped }));
  return { config, discovery };
}

function asker(url: string) {
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${url}/api/v1/${path}`, { signal: AbortSignal.timeout(10_000) });
    const { status, error, data } = (await response.json()) as Answer<T>;
    if (status !== 'success') throw new Error(`Prometheus: ${error ?? response.status}`);
    return data;
  };
  return {
    query: async (promql: string): Promise<readonly Sample[]> => {
      const { result } = await ask<Vector>(`query?${new URLSearchParams({ query: promql })}`);
      return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
    },
    alerts: async (): Promise<readonly Alert[]> => (await ask<{ alerts: Alert[] }>('alerts')).alerts,
  };
}
