/**
 * Fuzzes the partner's interface from its contract (proto/openapi.yaml) with schemathesis, against gateway, auth and
 * catalog without workers.
 *   npm run test:fuzz [-- --seeds 1,2,3] [--examples 620] [--least 20000]
 * Prints cases, failures and undocumented responses of each seed; exit code 1 for any of these, or for too few cases.
 */
import { parseArgs } from 'node:util';
import { openFuzzStack } from './fuzz/fuzz-stack.ts';
import { schemathesis } from './fuzz/program.ts';
import { isFaulty, runFuzz, type Fuzzed } from './fuzz/run-fuzz.ts';
import { install } from '@vds/testkit/programs/install';
import { print, step } from '@vds/testkit/servers/progress';
import { runCommand } from '@vds/testkit/servers/run-command';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { down, status, up, USUAL_SERVERS } from '@vds/testkit/servers/up';

const dir = stateFolder('servers');
const SHOWN = 20;

await runCommand(main);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1,2,3' },
      examples: { type: 'string', default: '620' },
      least: { type: 'string', default: '20000' },
    },
  });
  const found = await fuzzAll(values.seeds.split(',').map(Number), Number(values.examples));
  const sum = (of: (run: Fuzzed) => number): number => found.reduce((total, run) => total + of(run), 0);
  const cases = sum((run) => run.cases);
  const failures = sum((run) => run.failures.length);
  const undocumented = sum((run) => run.undocumented.length);
  process.stdout.write(`${cases} cases, ${failures} failures, ${undocumented} undocumented responses\n`);
  if (cases < Number(values.least)) print(`fewer cases than the ${values.least} that are wanted: raise --examples`);
  return found.some(isFaulty) || cases < Number(values.least) ? 1 : 0;
}

async function fuzzAll(seeds: readonly number[], examples: number): Promise<Fuzzed[]> {
  const program = await schemathesis();
  await install(['postgres', 'nats', 's3', 'opensearch']);
  const before = status(dir);
  const started = USUAL_SERVERS.filter((name) => before[name] === null);
  const servers = await step('servers', () => up(dir));
  const stack = await step('services', () => openFuzzStack(servers, 'fuzz'));
  try {
    // Each seed has its own key, so that no run hits another's limits.
    const run = async (seed: number): Promise<Fuzzed> => {
      const run = await runFuzz({ program, url: stack.url, key: await stack.newKey(), seed, examples });
      printRun(run);
      return run;
    };
    return await Promise.all(seeds.map(run));
  } finally {
    await stack.close();
    if (started.length > 0) await down(dir, started);
  }
}

function printRun(run: Fuzzed): void {
  const { seed, cases, failures, undocumented, seconds, phases, statuses, checks } = run;
  const sum = `${cases} cases, ${failures.length} failures, ${undocumented.length} undocumented responses`;
  const details = [`  phases: ${list(phases)}`, `  responses: ${list(statuses)}`, `  checks: ${list(checks)}`];
  process.stdout.write(`seed ${seed}: ${sum} in ${seconds.toFixed(0)} s\n${details.join('\n')}\n`);
  for (const one of [...failures, ...undocumented].slice(0, SHOWN)) process.stdout.write(`  ${one}\n`);
  if (isFaulty(run)) process.stdout.write(`${run.printed}\n`);
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
}
