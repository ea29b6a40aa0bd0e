/** The command line of a run. */
import { parseArgs } from 'node:util';

export const usage = 'usage: npm run test:chaos [-- --minutes 10] [--seed 1] [--keep]';

/** Undefined for an invalid time or seed: its plan of faults would never end. @throws for unknown options */
export function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
    },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  const areNumbers = minutes > 0 && minutes < Infinity && Number.isInteger(seed) && seed >= 0;
  return areNumbers ? { minutes, seed, keep: values.keep } : undefined;
}
