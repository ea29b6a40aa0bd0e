/**
 * Alerts and dashboards: promtool validates and tests the rules, every expression uses metrics that the code defines,
 * every alert has a page of the runbook and tests, and dashboards are valid by themselves.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promtool } from '@vds/testkit/programs/prometheus';
import { alertsFolder, completenessFaults, readAlerts, type AlertFiles } from './alert-files.ts';
import { dashboardFaults, expressionsOf, readDashboards } from './dashboard-files.ts';
import { readCode, type Code } from './metric-definitions.ts';
import { expressionFaults, templateFaults } from './metrics.ts';
import { output, outcomeOf, type Outcome } from '../outcome.ts';

export async function checkAlerts(root: string): Promise<Outcome> {
  const [files, dashboards, code] = [readAlerts(root), readDashboards(root), await readCode(root)];
  const faults = [
    ...completenessFaults(files),
    ...alertExpressionFaults(files, code),
    ...unreadMetrics(code, [...files.rules.map(({ expr }) => expr), ...dashboards.values(), ...guideIn(root)]),
    ...dashboardFaults(dashboards),
    ...[...dashboards].flatMap(([name, text]) => dashboardExpressionFaults(name, text, code, files)),
  ];
  if (faults.length > 0) return outcomeOf(faults);
  const tool = await promtool();
  if (tool === null)
    return {
      state: 'skipped',
      detail: 'rules are not tested: promtool is not on PATH, and apt has no package prometheus; everything else is ok',
    };
  return outcomeOf(await promtoolFaults(root, tool), `${files.rules.length} rules, ${files.tests.length} tests`);
}

/** Expressions of rules, of their tests' inputs, and of the pages of the runbook. */
export function alertExpressionFaults(files: AlertFiles, code: Code): string[] {
  const records = recordsOf(files);
  const at = (where: string, expr: string): string[] =>
    expressionFaults(expr, code, records).map((fault) => `${where}: ${fault}`);
  return [
    ...files.rules.flatMap(({ alert, record, expr, annotations = {} }) => [
      ...at(alert ?? record ?? '', expr),
      ...templateFaults(Object.values(annotations).join(' '), expr).map((fault) => `${alert}: ${fault}`),
    ]),
    ...files.tests.flatMap(({ name = '', input_series }) =>
      input_series.flatMap(({ series }) => at(`test '${name}'`, series)),
    ),
    ...[...files.pages].flatMap(([page, text]) => promqlIn(text).flatMap((expr) => at(page, expr))),
  ];
}

/** The series of recording rules, with the labels that they set. */
export function recordsOf({ rules }: AlertFiles): Map<string, readonly string[]> {
  return new Map(
    rules.flatMap(({ record, labels }) => (record === undefined ? [] : [[record, Object.keys(labels ?? {})]])),
  );
}

/** Metrics that no rule, dashboard or page names: nobody would miss them. */
export function unreadMetrics({ metrics }: Pick<Code, 'metrics'>, readers: readonly string[]): string[] {
  const read = new Set(readers.flatMap((text) => text.match(/\bvds_[a-z0-9_]+/g) ?? []));
  const isRead = (name: string): boolean => ['', '_bucket', '_sum', '_count'].some((part) => read.has(name + part));
  const own = [...metrics.keys()].filter((name) => name.startsWith('vds_'));
  return own
    .filter((name) => !isRead(name))
    .map((name) => `${name} is read by no alert, dashboard or guide: remove it`);
}

/** The pages for operators. */
function guideIn(root: string): string[] {
  return globSync('deploy/{guide,runbooks}/**/*.md', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
}

function promqlIn(page: string): string[] {
  return [...page.matchAll(/```promql\n([^`]*)```/g)].map(([, code = '']) => code);
}

function dashboardExpressionFaults(name: string, text: string, code: Code, files: AlertFiles): string[] {
  return expressionsOf(name, text).flatMap(({ at, expr, legend }) =>
    [...expressionFaults(expr, code, recordsOf(files)), ...templateFaults(legend, expr)].map(
      (fault) => `${at}: ${fault}`,
    ),
  );
}

/** promtool's findings: it validates every rule, then runs every test. */
async function promtoolFaults(root: string, tool: string): Promise<string[]> {
  const rules = globSync(`${alertsFolder}/*.yaml`, { cwd: root }).toSorted();
  const read = await output(tool, ['check', 'rules', ...rules], { cwd: root });
  if (read.code !== 0) return [read.text];
  const tests = globSync(`${alertsFolder}/tests/*.yaml`, { cwd: root }).toSorted();
  const tested = await output(tool, ['test', 'rules', ...tests], { cwd: root });
  return tested.code === 0 ? [] : [tested.text];
}
