/** CPU time that a gateway spends on each hostile request of its own suite, and whether it answers as there. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { hostileBodies } from '../test/hostile/bodies.ts';
import { hostileConnections } from '../test/hostile/connections.ts';
import { exchange, statusAndCode } from '../test/hostile/exchange.ts';
import { hostileFraming } from '../test/hostile/framing.ts';
import { hostileHeads } from '../test/hostile/heads.ts';
import { hostilePaths } from '../test/hostile/paths.ts';
import type { Hostile } from '../test/hostile/request.ts';
import { step } from '@vds/testkit/servers/progress';
import type { Stack } from '@vds/testkit/stack/start-stack';

const BOUND_MS = 150;
const ROUNDS = 5;
/** The collector may begin after the answer; what it takes belongs to the request. */
const AFTERMATH_MS = 5;

export type HostileTarget = {
  readonly stack: Stack;
  /** Port of the gateway. */
  readonly port: number;
  readonly newKey: () => Promise<string>;
  /** Submits a video and returns its bare id. */
  readonly submit: (key: string) => Promise<string>;
};

type Cost = { readonly kind: string; readonly name: string; readonly times: number[]; readonly wrong: Set<string> };

const kinds = { bodies: hostileBodies, framing: hostileFraming, connections: hostileConnections, paths: hostilePaths };

/** Prints the worst of several times of each; returns the bars that were missed. */
export async function hostileCosts({ stack, port, newKey, submit }: HostileTarget): Promise<string[]> {
  const pid = stack.process('gateway').pid() ?? 0;
  const target = { key: await newKey(), id: '' };
  target.id = await submit(target.key);
  const rows = [
    ...hostileHeads.map((row) => ['heads', row] as const),
    ...Object.entries(kinds).flatMap(([kind, table]) => table(target).map((row) => [kind, row] as const)),
  ];
  const costs = rows.map(([kind, { name }]): Cost => ({ kind, name, times: [], wrong: new Set() }));
  for (let round = 1; round <= ROUNDS; round += 1)
    await step(`${rows.length} hostile requests, round ${round} of ${ROUNDS}`, async () => {
      for (const [index, [, row]] of rows.entries()) {
        const cost = costs[index];
        if (cost && (round === 1 || !row.slow)) await measure(port, pid, row, cost);
      }
    });
  const sorted = costs.toSorted((one, other) => Math.max(...other.times) - Math.max(...one.times));
  process.stdout.write(`CPU of the gateway, worst of ${ROUNDS}, with the request that asks whether it still serves\n`);
  for (const cost of sorted) process.stdout.write(lineOf(cost));
  const over = sorted.filter(({ times }) => Math.max(...times) > BOUND_MS);
  const wrong = sorted.filter((cost) => cost.wrong.size > 0);
  return [
    ...over.map(({ name }) => `at most ${BOUND_MS} ms of CPU: ${name}`),
    ...wrong.map(({ name }) => `the documented answer: ${name}`),
  ];
}

async function measure(port: number, pid: number, row: Hostile, cost: Cost): Promise<void> {
  const from = cpuOf(pid);
  const { responses } = await exchange(port, row);
  await pause(AFTERMATH_MS);
  cost.times.push(cpuOf(pid) - from);
  const got = responses.map(statusAndCode).join(', ');
  if (got !== row.responses.join(', ')) cost.wrong.add(got);
}

/** CPU time of all threads of a process so far, in milliseconds (Linux, Documentation/scheduler/sched-stats). */
function cpuOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}

function lineOf({ kind, name, times, wrong }: Cost): string {
  const worst = Math.max(...times);
  const verdict = [worst <= BOUND_MS ? 'ok' : `OVER ${BOUND_MS}`, ...[...wrong].map((got) => `ANSWERED ${got}`)];
  return `${worst.toFixed(1).padStart(7)} ms  ${verdict.join(' ').padEnd(4)}  ${kind}: ${name}\n`;
}
