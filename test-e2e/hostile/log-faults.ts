/** What is wrong with the lines that a stack has logged. */
import { readFileSync } from 'node:fs';
import type { StackProcess } from '@vds/testkit/stack/processes';

export type LogReport = { readonly lines: number; readonly faults: readonly string[] };

/** Raw controls, line separators and overrides of direction: a terminal obeys them, and JSON need not escape them all. */
const raw = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** @param from how many bytes each log had before */
export function readLogs(
  processes: readonly Pick<StackProcess, 'name' | 'logFile'>[],
  from: ReadonlyMap<string, number>,
): LogReport {
  const lines = processes.flatMap(({ name, logFile }) =>
    readFileSync(logFile)
      .subarray(from.get(name) ?? 0)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ name, line })),
  );
  const faults = lines.flatMap(({ name, line }) => {
    const fault = faultOf(line);
    return fault === undefined ? [] : [`${name} ${fault}: ${JSON.stringify(line.slice(0, 300))}`];
  });
  return { lines: lines.length, faults };
}

function faultOf(line: string): string | undefined {
  if (raw.test(line)) return 'wrote a raw control character';
  try {
    const value: unknown = JSON.parse(line);
    const isLine =
      typeof value === 'object' && value !== null && 'service' in value && 'msg' in value && 'time' in value;
    return isLine ? undefined : 'wrote JSON that is no line of its log';
  } catch {
    return 'wrote what is no JSON';
  }
}
