/** What the Prometheus Operator would read: a release's ServiceMonitors and PrometheusRules, as the chart renders them. */
import { parseAllDocuments } from 'yaml';
import { command } from './command.ts';
import { productChart } from './install.ts';

export type Monitor = {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly endpoints: readonly {
      readonly port: string;
      readonly path: string;
      readonly honorLabels?: boolean;
      readonly relabelings?: readonly Readonly<Record<string, unknown>>[];
    }[];
  };
};
type Rules = { readonly spec: { readonly groups: readonly object[] } };

export type Watched = {
  readonly namespace: string;
  readonly release: string;
  /** Values of the release, as arguments of helm. */
  readonly values: readonly string[];
};

const rendered = async <T>({ namespace, release, values }: Watched, file: string): Promise<readonly T[]> => {
  // The release's policies stay as they are: without them in the render, nobody asks who it is that reads the metrics.
  const set = [
    'monitoring.serviceMonitors.enabled=true',
    'monitoring.rules.enabled=true',
    'networkPolicy.enabled=false',
  ];
  const switches = set.flatMap((value) => ['--set', value]);
  const only = ['--namespace', namespace, '--show-only', `templates/monitoring/${file}.yaml`];
  const text = await command('helm', ['template', release, productChart, ...values, ...switches, ...only]);
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as T | null) ?? []);
};

export const serviceMonitors = (watched: Watched): Promise<readonly Monitor[]> =>
  rendered<Monitor>(watched, 'servicemonitors');

/** The groups of all PrometheusRules. */
export const ruleGroups = async (watched: Watched): Promise<readonly object[]> =>
  (await rendered<Rules>(watched, 'rules')).flatMap(({ spec }) => spec.groups);
