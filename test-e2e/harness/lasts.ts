/** The length of a fault is given to the test: its time is over when the clock says so. */
import { until } from '@vds/testkit/until';

/** Resolves after this time. */
export async function lasts(ms: number): Promise<void> {
  const end = performance.now() + ms;
  await until(() => performance.now() >= end, { what: `the end of ${ms} ms`, capMs: ms + 60_000, everyMs: 100 });
}
