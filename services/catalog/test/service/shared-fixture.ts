/** Harnesses that several test files share, each with two processes; closed when the last test has run. */
import { startHarness, type Harness } from './harness.ts';

let common: Promise<Harness> | undefined;
let fastRepublish: Promise<Harness> | undefined;

/** A queued delete waits 2 s: long enough for a stage to stop by itself, if a test lets it. */
export function commonHarness(): Promise<Harness> {
  return (common ??= startHarness({ DELETE_GRACE: '2s' }, 2));
}

/** Unanswered requests are republished soon. */
export function fastRepublishHarness(): Promise<Harness> {
  return (fastRepublish ??= startHarness(
    { REPUBLISH_FIRST: '1s', REPUBLISH_MAX: '500ms', SOURCE_KEEP_READY: '1s' },
    2,
  ));
}

after(async () => void (await Promise.all([common, fastRepublish].map(async (harness) => (await harness)?.close()))));
