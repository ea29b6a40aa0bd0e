/** The alerts as files: rules, their tests, and their pages of the runbook. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parse } from 'yaml';

export type Rule = {
  /** `messages` for a rule of `charts/vds/alerts/messages.yaml`. */
  readonly group: string;
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};
export type Alert = Rule & { readonly alert: string };

type AlertRuleTest = {
  readonly alertname: string;
  readonly exp_alerts?: readonly { exp_labels: Record<string, string> }[];
};
type Test = {
  readonly name?: string;
  readonly input_series: readonly { readonly series: string }[];
  readonly alert_rule_test?: readonly AlertRuleTest[];
};

export type AlertFiles = {
  readonly rules: readonly Rule[];
  /** Name of each test, with its input series and expressions. */
  readonly tests: readonly Test[];
  /** Text of each page of the runbook by its path below `deploy/runbooks`, without the index. */
  readonly pages: ReadonlyMap<string, string>;
  readonly index: string;
};

export const alertsFolder = 'charts/vds/alerts';
export const runbooks = 'deploy/runbooks';

export function readAlerts(root: string): AlertFiles {
  return {
    rules: read(root, `${alertsFolder}/*.yaml`).flatMap(([path, text]) => rulesIn(basename(path, '.yaml'), text)),
    tests: read(root, `${alertsFolder}/tests/*.yaml`).flatMap(([, text]) => (parse(text) as { tests: Test[] }).tests),
    pages: new Map(
      read(root, `${runbooks}/**/*.md`)
        .map(([path, text]) => [relative(runbooks, path), text] as const)
        .filter(([page]) => page !== 'README.md'),
    ),
    index: readFileSync(join(root, runbooks, 'README.md'), 'utf8'),
  };
}

function read(root: string, pattern: string): [path: string, text: string][] {
  return globSync(pattern, { cwd: root })
    .toSorted()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]);
}

function rulesIn(group: string, text: string): Rule[] {
  const { groups } = parse(text) as { groups: { rules: Omit<Rule, 'group'>[] }[] };
  return groups.flatMap(({ rules }) => rules.map((rule) => ({ ...rule, group })));
}

/** Every alert has annotations, a page and tests; every page has an alert and a line in the index. */
export function completenessFaults(files: AlertFiles): string[] {
  const alerts = alertsOf(files);
  const wanted = new Set(alerts.map(pageOf));
  return [
    ...alerts.flatMap((alert) => [...ruleFaults(alert, files.pages), ...testFaults(alert, files.tests)]),
    ...[...files.pages.keys()].flatMap((page) => [
      ...(wanted.has(page) ? [] : [`${runbooks}/${page} has no alert in the rule file of its folder`]),
      ...(files.index.includes(`(${page})`) ? [] : [`${runbooks}/README.md does not name ${page}`]),
    ]),
  ];
}

export function alertsOf({ rules }: AlertFiles): Alert[] {
  return rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]));
}

/** `VdsOutboxStuck` of the group `messages` → `messages/vds-outbox-stuck.md`. */
export function pageOf({ group, alert }: Pick<Alert, 'group' | 'alert'>): string {
  return `${group}/${alert.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}.md`;
}

function ruleFaults({ group, alert, expr, labels, annotations }: Alert, pages: AlertFiles['pages']): string[] {
  const page = pageOf({ group, alert });
  const { summary, description, runbook } = annotations ?? {};
  return [
    ...(['page', 'ticket'].includes(labels?.['severity'] ?? '') ? [] : [`${alert}: the severity is page or ticket`]),
    ...(summary && description?.includes('{{ $labels.')
      ? []
      : [`${alert}: wants a summary, and a description with its labels`]),
    ...(runbook === `${runbooks}/${page}` ? [] : [`${alert}: its runbook is ${runbooks}/${page}`]),
    ...(pages.has(page) ? [] : [`${alert}: ${runbooks}/${page} is missing`]),
    ...(hasThreshold(expr)
      ? []
      : [`${alert}: its threshold is marked, so that a value can replace it: > 5 # threshold`]),
    ...(isRatio(expr) && !hasMinimum(expr)
      ? [`${alert}: a ratio also wants a minimum number of events: and sum by (…) (increase(…)) >= 5`]
      : []),
  ];
}

/** A marked number, a service level, or nothing but states: `== 0`, `== 1`, and what Jobs and targets there are. */
function hasThreshold(expr: string): boolean {
  if (/(?:>=|<=|>|<) [^#\n]*# threshold\n/.test(expr) || expr.includes('vds:setting')) return true;
  return /== [01]\b|absent|unless on|kube_job_status_failed/.test(expr) && !/[<>]=? (?!0\b)/.test(expr);
}

function isRatio(expr: string): boolean {
  return /:ratio_rate|\s\/\s/.test(expr);
}

/** With little traffic one failure is a large part. Alternatives (`or`) have a minimum each. */
function hasMinimum(expr: string): boolean {
  return expr.split(/\n\s*or\n/).every((one) => /\(\s*increase\([^]*\)\s*\) >= \d+/.test(one));
}

function testFaults({ alert, labels }: Alert, tests: readonly Test[]): string[] {
  const severity = labels?.['severity'];
  const ruleTests = tests.flatMap((test) => test.alert_rule_test ?? []).filter(({ alertname }) => alertname === alert);
  const fires = ruleTests.some((one) => one.exp_alerts?.some(({ exp_labels }) => exp_labels['severity'] === severity));
  const silent = ruleTests.some((one) => (one.exp_alerts ?? []).length === 0);
  return [
    ...(fires ? [] : [`${alert} (${severity}): no test sees it fire`]),
    ...(silent ? [] : [`${alert}: no test sees it silent`]),
  ];
}
