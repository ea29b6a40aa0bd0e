/** The alerts as files: rules, their tests, and their pages of the runbook. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

export type Rule = {
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
  /** Text of each page of the runbook by its name, without the index. */
  readonly pages: ReadonlyMap<string, string>;
  readonly index: string;
};

export const alertsFolder = 'charts/vds/alerts';
export const runbooks = 'deploy/runbooks';

export function readAlerts(root: string): AlertFiles {
  return {
    rules: read(root, `${alertsFolder}/*.yaml`).flatMap((text) =>
      (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules),
    ),
    tests: read(root, `${alertsFolder}/tests/*.yaml`).flatMap((text) => (parse(text) as { tests: Test[] }).tests),
    pages: new Map(
      globSync(`${runbooks}/*.md`, { cwd: root })
        .filter((path) => basename(path) !== 'README.md')
        .map((path) => [basename(path), readFileSync(join(root, path), 'utf8')]),
    ),
    index: read(root, `${runbooks}/README.md`).join(''),
  };
}

function read(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .toSorted()
    .map((path) => readFileSync(join(root, path), 'utf8'));
}

/** Every alert has annotations, a page and tests; every page has an alert and a line in the index. */
export function completenessFaults(files: AlertFiles): string[] {
  const alerts = alertsOf(files);
  const wanted = new Set(alerts.map(({ alert }) => pageOf(alert)));
  return [
    ...alerts.flatMap((alert) => [...ruleFaults(alert, files.pages), ...testFaults(alert, files.tests)]),
    ...[...files.pages.keys()].flatMap((page) => [
      ...(wanted.has(page) ? [] : [`${runbooks}/${page} has no alert`]),
      ...(files.index.includes(`(${page})`) ? [] : [`${runbooks}/README.md does not name ${page}`]),
    ]),
  ];
}

export function alertsOf({ rules }: AlertFiles): Alert[] {
  return rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]));
}

/** `VdsApiErrorBudgetBurn` → `vds-api-error-budget-burn.md`. */
export function pageOf(alert: string): string {
  return `${alert.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}.md`;
}

function ruleFaults({ alert, labels, annotations }: Alert, pages: AlertFiles['pages']): string[] {
  const { summary, description, runbook } = annotations ?? {};
  return [
    ...(['page', 'ticket'].includes(labels?.['severity'] ?? '') ? [] : [`${alert}: the severity is page or ticket`]),
    ...(summary && description?.includes('{{ $labels.')
      ? []
      : [`${alert}: wants a summary, and a description with its labels`]),
    ...(runbook === `${runbooks}/${pageOf(alert)}` ? [] : [`${alert}: its runbook is ${runbooks}/${pageOf(alert)}`]),
    ...(pages.has(pageOf(alert)) ? [] : [`${alert}: ${runbooks}/${pageOf(alert)} is missing`]),
  ];
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
