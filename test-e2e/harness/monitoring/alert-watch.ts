/**
 * Whether an alert's condition is true: its expression from the rule file, evaluated at once instead of after its
 * `for`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { alertsOf, readAlerts } from '@vds/scripts/check/charts/monitoring/alert-files';
import { until } from '@vds/testkit/until';
import { root } from '../cluster/command.ts';
import type { Prometheus } from './prometheus.ts';

export type Condition = {
  readonly alert: string;
  /** Selects one of several rules with this name. */
  readonly severity?: 'page' | 'ticket';
  /** Labels that one of its series must have. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Replaces its threshold, so that tests need not wait for minutes: seconds of a gauge that grows by itself. */
  readonly seconds?: number;
};

const alerts = alertsOf(readAlerts(root));
export type Watch = ReturnType<typeof openWatch>;

/** @param prometheus watches the release */
export function openWatch(prometheus: Prometheus) {
  const isTrue = async (condition: Condition): Promise<boolean> => {
    const samples = await prometheus.query(expressionOf(condition));
    const wanted = Object.entries(condition.labels ?? {});
    return samples.some(({ labels }) => wanted.every(([key, value]) => labels[key] === value));
  };
  const waitUntil = async (state: boolean, capMs: number, all: readonly Condition[]): Promise<void> => {
    const from = performance.now();
    const waits = all.map(async (condition) => {
      const reached = async (): Promise<boolean> => (await isTrue(condition)) === state;
      await until(reached, { capMs, everyMs: 1_000, what: `${named(condition)} to be ${state ? 'true' : 'false'}` });
      const seconds = ((performance.now() - from) / 1_000).toFixed(0);
      console.log(`      ${named(condition)}: ${state ? 'true' : 'false again'} after ${seconds} s`);
    });
    const failed = (await Promise.allSettled(waits)).flatMap((one) =>
      one.status === 'rejected' ? [one.reason as Error] : [],
    );
    if (failed.length > 0) throw new Error(failed.map(({ message }) => message).join('\n'));
  };
  return {
    /** Waits until each condition is true. */
    rise: (...all: readonly Condition[]): Promise<void> => waitUntil(true, 120_000, all),
    /** Waits until every condition is false. */
    fall: (...all: readonly Condition[]): Promise<void> => waitUntil(false, 180_000, all),
    isTrue,
  };
}

function expressionOf({ alert, severity, seconds }: Condition): string {
  const found = alerts.find(
    (one) => one.alert === alert && one.labels?.['severity'] === (severity ?? one.labels?.['severity']),
  );
  if (found === undefined) throw new Error(`there is no alert ${alert}`);
  if (seconds === undefined) return found.expr;
  const shortened = found.expr.replaceAll(/> [\d.]+ # threshold/g, `> ${seconds}`);
  if (shortened === found.expr) throw new Error(`${alert} has no threshold`);
  // How long nothing must have moved.
  return shortened.replace(/(\bunless\b[^]*)\[\w+\]/, '$1[1m]');
}

function named({ alert, labels = {}, seconds }: Condition): string {
  return [alert, ...Object.values(labels), ...(seconds === undefined ? [] : [`from ${seconds} s on`])].join(' ');
}

/** Repeats an action, many at a time, while another one runs. */
export async function meanwhile(
  often: () => Promise<unknown>,
  atOnce: number,
  work: () => Promise<unknown>,
): Promise<void> {
  let over = false;
  const loops = Array.from({ length: atOnce }, async () => {
    while (!over) await often().catch(() => sleep(250));
  });
  try {
    await work();
  } finally {
    over = true;
    await Promise.all(loops);
  }
}
