/** One house of two processes for all test files that need no times of their own; closed when the last test has run. */
import { startHouse, type House } from './house.ts';

let common: Promise<House> | undefined;

/** A queued delete waits 2 s: long enough for a stage to stop by itself, where a test lets it. */
export const commonHouse = (): Promise<House> => (common ??= startHouse({ DELETE_GRACE: '2s' }, 2));

after(async () => (await common)?.close());
