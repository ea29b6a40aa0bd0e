/**
 * What the Prometheus Operator would read: a release's ServiceMonitors and PrometheusRules, as the chart renders them.
 */
import { parseAllDocuments } from 'yaml';
import { command } from '../cluster/command.ts';
import { productChart } from '../cluster/install.ts';

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

export function serviceMonitors(watched: Watched): Promise<readonly Monitor[]> {
  return rendered<Monitor>(watched, 'servicemonitors');
}

async function rendered<T>({ namespace, release, values }: Watched, file: string): Promise<readonly T[]> {
  // The release's policies stay as they are: without them in the render, no value for the metrics' reader is needed.
  const set = [
    'monitoring.serviceMonitors.enabled=true',
    'monitoring.rules.enabled=true',
    'networkPolicy.enabled=false',
  ];
  const switches = set.flatMap((value) => ['--set', value]);
  const only = ['--namespace', namespace, '--show-only', `templates/monitoring/${file}.yaml`];
  const text = await command('helm', ['template', release, productChart, ...values, ...switches, ...only]);
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as T | null) ?? []);
}

/** The groups of all PrometheusRules. */
export async function ruleGroups(watched: Watched): Promise<readonly object[]> {
  return (await rendered<Rules>(watched, 'rules')).flatMap(({ spec }) => spec.groups);
}
