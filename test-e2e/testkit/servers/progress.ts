/** Progress lines with times, on stderr, so that stdout is reserved for results. */

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
  process.stderr.write(`${text}\n`);
}

/** Seconds since `from` (of performance.now()) as text: "1.2 s". */
export function secondsSince(from: number): string {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}
