/**
 * Mutation testing: mutates the rules of auth, gateway and catalog (their `src/domain/`) one place at a time, and
 * counts how often their tests detect it.
 *   npm run test:mutation [-- <service> …] [--only <glob under src/domain>] [--concurrency <programs at a time>]
 * Prints every surviving mutant and a table per service; exit code 1 if a score is below 80 %.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runStryker } from './mutation/run-stryker.ts';
import { targets } from './mutation/targets.ts';
import { print } from '@vds/testkit/servers/progress';
import { runCommand } from '@vds/testkit/servers/run-command';

const root = fileURLToPath(new URL('..', import.meta.url));

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', default: '**/*.ts' },
      concurrency: { type: 'string', default: String(availableParallelism()) },
    },
  });
  const chosen = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const names = targets.map(({ name }) => name);
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`there are no mutants of ${unknown.join(', ')}; there are of ${names.join(', ')}`);
  process.env['VDS_FEW'] = '1';
  for (const target of chosen) {
    print(`… ${target.name}`);
    await runStryker(root, target, values.only, Number(values.concurrency));
  }
  // Stryker sets it if a score is below the threshold.
  return Number(process.exitCode ?? 0);
}

await runCommand(main);
