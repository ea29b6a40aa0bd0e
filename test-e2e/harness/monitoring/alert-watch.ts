/**
 * Whether an alert's condition is true: its expression from the rule file, evaluated at once instead of after its
 * `for`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { alertsOf, readAlerts } from '@vds/charts/checks/monitoring/alert-files';
import { until } from '@vds/testkit/until';
import { root } from '../cluster/command.ts';
import type { Prometheus } from './prometheus.ts';

export type Asked = {
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
  const speaks = async (asked: Asked): Promise<boolean> => {
    const samples = await prometheus.query(expressionOf(asked));
    const wanted = Object.entries(asked.labels ?? {});
    return samples.some(({ labels }) => wanted.every(([key, value]) => labels[key] === value));
  };
  const becomes = async (state: boolean, capMs: number, all: readonly Asked[]): Promise<void> => {
    const from = performance.now();
    const told = all.map(async (asked) => {
      const reached = async (): Promise<boolean> => (await speaks(asked)) === state;
      await until(reached, { capMs, everyMs: 1_000, what: `${named(asked)} to be ${state ? 'true' : 'false'}` });
      const seconds = ((performance.now() - from) / 1_000).toFixed(0);
      console.log(`      ${named(asked)}: ${state ? 'true' : 'false again'} after ${seconds} s`);
    });
    const failed = (await Promise.allSettled(told)).flatMap((one) =>
      one.status === 'rejected' ? [one.reason as Error] : [],
    );
    if (failed.length > 0) throw new Error(failed.map(({ message }) => message).join('\n'));
  };
  return {
    /** Waits until each condition is true. */
    rise: (...all: readonly Asked[]): Promise<void> => becomes(true, 120_000, all),
    /** Waits until every condition is false. */
    fall: (...all: readonly Asked[]): Promise<void> => becomes(false, 180_000, all),
    speaks,
  };
}

function expressionOf({ alert, severity, seconds }: Asked): string {
  const found = alerts.find(
    (one) => one.alert === alert && one.labels?.['severity'] === (severity ?? one.labels?.['severity']),
  );
  if (found === undefined) throw new Error(`there is no alert ${alert}`);
  if (seconds === undefined) return found.expr;
  const shortened = found.expr.replace(/> [\d.]+\s*$/, `> ${seconds}`);
  if (shortened === found.expr) throw new Error(`${alert} does not end with a threshold`);
  return shortened;
}

function named({ alert, labels = {}, seconds }: Asked): string {
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
