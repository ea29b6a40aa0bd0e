/** The metrics of a process, as Prometheus would read them. */
import type { Worker } from './service-harness.ts';

/** The sum of a counter over all its labels. */
export async function metricOf(worker: Pick<Worker, 'ports'>, name: string): Promise<number> {
  const body = await (await fetch(`http://127.0.0.1:${worker.ports.admin}/metrics`)).text();
  return body
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
