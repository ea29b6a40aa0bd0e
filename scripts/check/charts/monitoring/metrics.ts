/** Whether a Prometheus expression uses metrics, labels and values that the code defines. */
import { secondsBuckets } from '@vds/chassis/telemetry/metrics';
import type { Code, Metric } from './metric-definitions.ts';

/** Labels that Prometheus adds to every one of our series: see charts/vds/templates/monitoring/servicemonitors.yaml. */
const targetLabels = ['namespace', 'release', 'service', 'pod', 'part_of', 'instance', 'job'];
/** Metrics of other exporters. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  up: [],
  // Of deploy/edge/nginx.conf.
  vds_edge_connections: ['state'],
  kube_deployment_status_replicas_unavailable: ['namespace', 'deployment'],
  kube_job_status_failed: ['namespace', 'job_name', 'reason'],
  kube_job_failed: ['namespace', 'job_name', 'condition'],
};

const series = /\b(?:vds[_:][a-z0-9_:]+|nodejs_[a-z0-9_]+|process_[a-z0-9_]+|kube_[a-z0-9_]+|up)\b(?:\{([^}]*)\})?/g;
const matcher = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;
const grouping = /\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const replacement = /label_replace\((?:[^"]|\n)*?"(\w+)"/g;

type Known = { readonly labels: readonly string[]; readonly buckets?: readonly number[] };

const parts = ['_bucket', '_sum', '_count'];

const plain = /^[\w./|-]+$/;

/**
 * Violations in an expression.
 * @param records series of recording rules, with the labels that they set
 */
export function expressionFaults(
  expression: string,
  code: Code,
  records: ReadonlyMap<string, readonly string[]>,
): string[] {
  const faults: string[] = [];
  const labels = new Set([...targetLabels, 'le']);
  for (const [, target = ''] of expression.matchAll(replacement)) labels.add(target);
  for (const [all, selector = ''] of expression.matchAll(series)) {
    const name = all.split('{')[0] ?? '';
    const known = lookUp(name, code, records);
    if (typeof known === 'string') {
      faults.push(known);
      continue;
    }
    for (const label of known.labels) labels.add(label);
    for (const [, label = '', operator = '', value = ''] of selector.matchAll(matcher)) {
      if (!known.labels.includes(label)) faults.push(`${name} has no label ${label}`);
      else if (!records.has(name) && !foreign[name]?.includes(label))
        for (const one of valuesOf(operator, value)) faults.push(...valueFault(label, one, known, code));
    }
  }
  const outside = expression.replaceAll(/"[^"]*"/g, '""');
  for (const [, list = ''] of outside.matchAll(grouping)) {
    const used = list.split(',').map((one) => one.trim());
    faults.push(
      ...used.filter((one) => one !== '' && !labels.has(one)).map((one) => `nothing here has the label ${one}`),
    );
  }
  return [...new Set(faults)];
}

/** The definition of a name in an expression; a sentence if there is none. */
function lookUp(name: string, code: Code, records: ReadonlyMap<string, readonly string[]>): Known | string {
  const recorded = records.get(name);
  if (recorded) return { labels: [...recorded, ...targetLabels] };
  const others = foreign[name];
  if (others) return { labels: [...others, ...targetLabels] };
  const part = parts.find((one) => name.endsWith(one) && code.metrics.has(name.slice(0, -one.length)));
  const metric: Metric | undefined = code.metrics.get(part ? name.slice(0, -part.length) : name);
  if (!metric) return `${name} is no metric of the code`;
  if ((metric.kind === 'histogram') !== (part !== undefined)) return `${name} is a ${metric.kind}`;
  const labels = [...metric.labels, ...targetLabels];
  if (part !== '_bucket') return { labels };
  return { labels: [...labels, 'le'], buckets: metric.buckets ?? secondsBuckets };
}

/** Values that a matcher lists in full; patterns are skipped. */
function valuesOf(operator: string, value: string): string[] {
  if (value === '' || value.startsWith('$')) return [];
  if (!operator.includes('~')) return [value];
  return plain.test(value) && !/[.+*]/.test(value) ? value.split('|') : [];
}

function valueFault(label: string, value: string, known: Known, code: Code): string[] {
  if (label === 'service') return code.services.has(value) ? [] : [`there is no service ${value}`];
  if (label === 'le') return known.buckets?.includes(Number(value)) ? [] : [`there is no bucket ${value}`];
  // Numbers, paths and object names are computed, so they are not in the source.
  if (targetLabels.includes(label) || !/^[a-z][\w.]*$/i.test(value) || code.text.includes(`'${value}'`)) return [];
  // Keys of tables, such as failure codes and queues.
  return new RegExp(String.raw`\b${value}\b["']?:`).test(code.text) ? [] : [`no ${label} is ever ${value}`];
}

/** Labels in a legend or an annotation that its expression neither groups by nor selects. */
export function templateFaults(template: string, expression: string): string[] {
  return [...template.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)]
    .map(([, label = '']) => label)
    .filter((label) => !targetLabels.includes(label) && !new RegExp(String.raw`\b${label}\b`).test(expression))
    .map((label) => `{{${label}}} is not among the labels of its expression`);
}
