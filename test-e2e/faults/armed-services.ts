/** Kills services at failpoints while work passes them, and starts them again. */
import { expect } from 'chai';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { until } from '@vds/testkit/until';
import type { Row } from './failpoint-rows.ts';

const CAP_MS = 120_000;

/**
 * Arms the service of each row, runs the work, and restarts what was killed in it.
 * @throws if a service does not reach its point, or ends in any other way
 */
export async function killDuring(stack: Stack, rows: readonly Row[], work: () => Promise<string>): Promise<string[]> {
  await Promise.all(rows.map((row) => arm(stack, row)));
  const restarts = rows.map((row) => restartKilled(stack, row));
  const [outcome] = await Promise.all([work(), ...restarts]).catch(async (error: unknown) => {
    await Promise.allSettled(restarts);
    await Promise.all(rows.map(({ service }) => stack.process(service).restart()));
    throw error;
  });
  return rows.map(({ service, point, between }) => `${service} ${point} (${between}) → ${outcome}`);
}

async function arm(stack: Stack, { service, point, nth }: Row): Promise<void> {
  const victim = stack.process(service);
  await victim.kill('SIGTERM');
  victim.start({ FAILPOINTS: `${point}=kill:${nth}` });
  await victim.ready();
}

async function restartKilled(stack: Stack, { service, point }: Row): Promise<void> {
  const victim = stack.process(service);
  const what = `${service} kills itself at ${point}`;
  await until(() => victim.pid() === undefined, { what, capMs: CAP_MS, everyMs: 20 });
  expect(victim.crash(), what).to.match(/ended with SIGKILL/);
  victim.start();
  await victim.ready();
}
