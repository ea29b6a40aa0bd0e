/** Houses that several test files share, each of two processes; closed when the last test has run. */
import { startHarness, type House } from './harness.ts';

let common: Promise<House> | undefined;
let impatient: Promise<House> | undefined;

/** A queued delete waits 2 s: long enough for a stage to stop by itself, where a test lets it. */
export function commonHouse(): Promise<House> {
  return (common ??= startHarness({ DELETE_GRACE: '2s' }, 2));
}

/** What has no answer is said again soon. */
export function impatientHouse(): Promise<House> {
  return (impatient ??= startHarness({ REMIND_FIRST: '1s', REMIND_EVERY: '500ms', SOURCE_KEEP_READY: '1s' }, 2));
}

after(async () => void (await Promise.all([common, impatient].map(async (house) => (await house)?.close()))));
