/** The table of a run and its closing line, for people. */
import { isAcknowledged } from './history.ts';
import type { ChaosResult } from './run-chaos.ts';

/** Actions, findings, and one line of summary. */
export function reportOf({ history, final, violations, folder }: ChaosResult, seed: number): string {
  const calls = history.filter((entry) => entry.kind === 'call');
  const faults = history.filter((entry) => entry.kind === 'fault');
  const lines = [
    ...counted(calls, ({ operation, reply }) => `${operation} → ${reply ?? 'no response'}`),
    ...counted(final.videos, ({ status }) => `video is ${status ?? 'lost'} at the end`),
    ...counted(faults, ({ fault }) => `fault ${fault}`),
    ...history.flatMap((entry) => (entry.kind === 'skipped' ? [`skipped ${entry.fault}: ${entry.reason}`] : [])),
    ...violations.map(({ rule, subject, detail }) => `VIOLATED: ${rule}: ${subject} ${detail}`.trimEnd()),
  ];
  const unknown = calls.filter((call) => call.operation !== 'watch' && !isAcknowledged(call)).length;
  const sum = `seed ${seed}: ${calls.length} calls (${unknown} without a known outcome), ${faults.length} faults, ${violations.length} violations`;
  return [
    ...lines.map((line) => `  ${line}`),
    ...(violations.length > 0 ? [`  history and logs: ${folder}`] : []),
    sum,
  ].join('\n');
}

function counted<T>(list: readonly T[], nameOf: (one: T) => string): string[] {
  const groups = [...Map.groupBy(list, nameOf)].map(([name, own]) => [name, own.length] as const);
  return groups
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${String(count).padStart(5)} × ${name}`);
}
