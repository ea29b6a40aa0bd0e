/** Harnesses that several test files share, each with two processes; closed when the last test has run. */
import { startHarness, type Harness } from './harness.ts';

let common: Promise<Harness> | undefined;
let fastRepublish: Promise<Harness> | undefined;

/** A queued delete waits 2 s: long enough for a stage to stop by itself, if a test lets it. */
export function commonHarness(): Promise<Harness> {
  return (common ??= startHarness({ TIME_SCALE: 'deleteGrace=2s' }, 2));
}

/** Unanswered requests are republished soon. */
export function fastRepublishHarness(): Promise<Harness> {
  return (fastRepublish ??= startHarness(
    { TIME_SCALE: 'republishFirst=1s,republishMax=500ms', SOURCES_KEEP: '1s' },
    2,
  ));
}

after(async () => void (await Promise.all([common, fastRepublish].map(async (harness) => (await harness)?.close()))));
