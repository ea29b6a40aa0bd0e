/** One house for all suites of a run: opened at the first use, closed after the last test. */
import { openHost, type Target } from './host.ts';

let opened: Promise<Target> | undefined;

/** The house under test. */
export const theTarget = (): Promise<Target> => (opened ??= openHost({ replicas: { playback: 2, transcode: 2 } }));

after(async function () {
  this.timeout(120_000);
  await (await opened)?.close();
});
