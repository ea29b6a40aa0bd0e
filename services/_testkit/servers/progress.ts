/** How commands report: progress lines with times on stderr, so that stdout is reserved for results, and an exit code. */
import { messageOf } from '@vds/chassis/errors';

/**
 * Runs the main function of a command. What it returns is the exit code; an error is one line on stderr and exit code 1.
 */
export async function runMain(main: () => Promise<number | void>): Promise<void> {
  try {
    const code = await main();
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    print(messageOf(error));
    process.exitCode = 1;
  }
}

/** Runs one step and reports its start and duration; failures are rethrown. */
export async function step<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  const from = performance.now();
  print(`… ${what}`);
  const result = await work();
  print(`✓ ${what} (${secondsSince(from)})`);
  return result;
}

/** Writes one line. */
export function print(text: string): void {
  if (receiver === undefined) process.stderr.write(`${text}\n`);
  else receiver(text);
}

let receiver: ((line: string) => void) | undefined;

/** From now on `to` receives every line instead of stderr: for a command that shows progress in its own way. */
export function redirectProgress(to: (line: string) => void): void {
  receiver = to;
}

/** Seconds since `from` (of performance.now()) as text: "1.2 s". */
export function secondsSince(from: number): string {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}
