/**
 * Crafted media and mutants of them against a whole stack.
 *   npm run test:hostile [-- --minutes 10] [--seed 1]
 * All crafted files, then mutants for so many minutes; the last line is that of `npm test`.
 */
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
process.env['VDS_HOSTILE_MINUTES'] = values.minutes;
process.env['VDS_HOSTILE_SEED'] = values.seed;
process.argv.splice(2, Infinity, 'test-e2e/hostile', '--long');
await import('./test.ts');
