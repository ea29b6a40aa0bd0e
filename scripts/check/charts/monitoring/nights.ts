/** What wakes whom in a night: promtool evaluates the rules against its series, and says which alerts fired. */
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { output } from '../outcome.ts';
import { alertsFolder } from './alert-files.ts';
import { seriesOf, STEP_SECONDS, type Night, type Show } from './night-series.ts';

/** An alert with its labels, and how often it began to fire. */
export type Fired = { readonly labels: Readonly<Record<string, string>>; readonly times: number };

const FIRED = 'ALERTS{alertstate="firing"}';

/** Every alert that fires in a night. */
export async function firedIn(root: string, promtool: string, night: Night): Promise<Fired[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-night-'));
  try {
    const file = join(folder, 'night.json');
    writeFileSync(file, JSON.stringify(testOf(root, night)));
    // The test expects no alert: what promtool got instead is in its message.
    const { text } = await output(promtool, ['test', 'rules', file], { cwd: root });
    if (!/^\s*(?:SUCCESS|FAILED:)/m.test(text) || /\berr(?:or)?:/i.test(text)) throw new Error(text);
    const fired = firedOf(text);
    if (fired.length === 0 && text.includes('FAILED:')) throw new Error(`What fired cannot be read: ${text}`);
    return fired;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A test of promtool; JSON is YAML. */
function testOf(root: string, night: Night) {
  const rules = globSync(`${alertsFolder}/*.yaml`, { cwd: root }).map((path) => join(root, path));
  const interval = `${STEP_SECONDS}s`;
  const steps = (night.hours * 3_600) / STEP_SECONDS;
  // One query for each hour: promtool keeps few samples of a query in memory.
  const began = `sum_over_time((${FIRED} unless ${FIRED} offset ${interval})[1h:${interval}])`;
  const hours = Array.from({ length: night.hours }, (_, hour) => hour + 1);
  return {
    rule_files: rules,
    evaluation_interval: interval,
    tests: [
      {
        interval,
        input_series: [...seriesOf(night)].map(([series, show]) => ({ series, values: valuesOf(show, steps) })),
        promql_expr_test: hours.map((hour) => ({ expr: began, eval_time: `${hour}h`, exp_samples: [] })),
      },
    ],
  };
}

/** A series that is missing from a scrape is stale at once. */
function valuesOf(show: Show, steps: number): string {
  const values = Array.from({ length: steps + 1 }, (_, step) => show((step * STEP_SECONDS) / 60));
  return values.map((value, step) => value ?? (values[step - 1] === undefined ? '_' : 'stale')).join(' ');
}

/** promtool prints what it got as `{alertname="…", …} 1E+00`. */
function firedOf(text: string): Fired[] {
  const got = [...text.matchAll(/\{(alertname=[^{}]*)\} ([\d.]+(?:E[+-]\d+)?)/g)];
  return got.map(([, labels = '', times]) => ({
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)=\\?"(.*?)\\?"/g)].map(([, name = '', value = '']) => [name, value]),
    ),
    times: Number(times),
  }));
}

/** How often alerts of a severity began to fire, by their labels. */
export function timesOf(fired: readonly Fired[], severity: 'page' | 'ticket'): Record<string, number> {
  const times: Record<string, number> = {};
  for (const { labels, times: more } of fired) {
    const { alertname = '', service, stage, queue, pod, check, metric, job_name: job } = labels;
    const name = [alertname, service, stage, queue, pod, check, metric, job].filter(Boolean).join(' ');
    if (labels['severity'] === severity) times[name] = (times[name] ?? 0) + more;
  }
  return times;
}
