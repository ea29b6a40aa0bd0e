/**
 * Disturbs its own stack with faults of every kind while clients use it, and judges the history.
 *   npm run test:chaos [-- --minutes 10] [--seed 1] [--keep] Prints progress, a table of actions and a closing line;
 * exit code 1 for any violation, 2 for wrong usage, 130 after Ctrl-C, which undoes and removes everything. `--keep`
 * keeps the history and the logs in .vds/chaos/, which a violation keeps anyway. One run at a time in a checkout.
 */
import { messageOf } from '@vds/chassis/errors';
import { aptInstall } from '@vds/testkit/programs/apt';
import { install, STACK_PARTS } from '@vds/testkit/programs/install';
import { print, step } from '@vds/testkit/servers/progress';
import { runCommand } from '@vds/testkit/servers/run-command';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { removeServers, up } from '@vds/testkit/servers/up';
import { readArguments, usage } from './arguments.ts';
import { missingFaults } from './nemesis.ts';
import { reportOf } from './report.ts';
import { runChaos } from './run-chaos.ts';

const dir = stateFolder('chaos', 'servers');

await runCommand(main, { graceMs: 120_000 });

async function main(interrupted: AbortSignal): Promise<number> {
  const wanted = readArguments(process.argv.slice(2));
  if (wanted === undefined) {
    print(usage);
    return 2;
  }
  await install(STACK_PARTS);
  // Without it one kind of fault is skipped, with this reason.
  if ('move-clock' in missingFaults(dir))
    await aptInstall(['libfaketime']).catch((error: unknown) => print(messageOf(error)));
  const servers = await step('servers', () => up(dir));
  try {
    const result = await runChaos({ ...wanted, servers, signal: interrupted });
    process.stdout.write(`${reportOf(result, wanted.seed)}\n`);
    return result.violations.length === 0 ? 0 : 1;
  } catch (error) {
    if (!interrupted.aborted) throw error;
    print(messageOf(error));
    return 130;
  } finally {
    await step('removing the servers', () => removeServers(dir));
  }
}
