/** The table of a run and its closing line, for people. */
import { isAcknowledged } from './history.ts';
import type { ChaosResult } from './run-chaos.ts';

const losesMessages: ReadonlySet<string> = new Set(['wipe-jetstream', 'roll-back-jetstream']);

/** Actions, findings, and one line of summary. */
export function reportOf(result: ChaosResult, seed: number): string {
  const { history, final, violations, folder } = result;
  const calls = history.filter((entry) => entry.kind === 'call');
  const faults = history.filter((entry) => entry.kind === 'fault');
  const lines = [
    ...counted(calls, ({ operation, reply }) => `${operation} → ${reply ?? 'no response'}`),
    ...counted(final.videos, ({ status }) => `video is ${status ?? 'lost'} at the end`),
    ...counted(faults, ({ fault }) => `fault ${fault}`),
    ...history.flatMap((entry) => (entry.kind === 'skipped' ? [`skipped ${entry.fault}: ${entry.reason}`] : [])),
    ...viewLines(result),
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

/** How many accepted reports of views the warehouse has, and how old the missing ones were when JetStream lost them. */
function viewLines({ history, final }: ChaosResult): string[] {
  const accepted = history.filter(
    (entry) => entry.kind === 'call' && entry.view !== undefined && entry.reply === '204',
  );
  const stored = new Set(final.views.map(({ view }) => view));
  const lost = accepted.filter((entry) => entry.kind === 'call' && !stored.has(entry.view ?? ''));
  const losses = history.filter((entry) => entry.kind === 'fault' && losesMessages.has(entry.fault));
  const ages = lost.flatMap((entry) => {
    const at = entry.kind === 'call' ? entry.toMs : 0;
    const next = losses.find((fault) => fault.kind === 'fault' && fault.toMs >= at);
    return next?.kind === 'fault' ? [(next.toMs - at) / 1_000] : [];
  });
  const oldest = ages.length > 0 ? `; the oldest accepted ${Math.max(...ages).toFixed(0)} s before its loss` : '';
  return [
    `view reports: ${accepted.length} accepted, ${accepted.length - lost.length} stored, ${lost.length} lost${oldest}`,
  ];
}

function counted<T>(list: readonly T[], nameOf: (one: T) => string): string[] {
  const groups = [...Map.groupBy(list, nameOf)].map(([name, own]) => [name, own.length] as const);
  return groups
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${String(count).padStart(5)} × ${name}`);
}
