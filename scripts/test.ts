/**
 * Runs every suite against real servers: two at a time, then one after the other those that kill servers.
 *   npm test [-- <suite or part of a file's path> …] [--grep <pattern>] [--long] [--list] [--coverage]
 * `--coverage` prints every sentence of the specification with the tests that prove it, and runs nothing.
 * Tests that import neither servers nor programs run without them.
 * With `VDS_TARGET=cluster` (KUBECONFIG names it) or `kind`, the end-to-end suites run against a Helm release instead.
 * The last line is `N passed, N failed, N skipped`; the exit code is 1 when anything failed,
 * and 2 when a name matches nothing.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { join, resolve } from 'node:path';
import { laneRanges, portVariable, type PortRange } from '@vds/testkit/servers/free-port';
import { install } from '@vds/testkit/programs/install';
import { print, step } from '@vds/testkit/servers/progress';
import { runCommand } from '@vds/testkit/servers/run-command';
import { readServers } from '@vds/testkit/servers/servers-file';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { down, spareServers, status, up, USUAL_SERVERS, type ServerName } from '@vds/testkit/servers/up';
import { needsServers } from './test/needs-servers.ts';
import { runSuite, type SuiteResult } from './test/run-suite.ts';
import { allSuites, chosenSuites, longestFirst, unmatchedNames, type Suite } from './test/suites.ts';
import { coverageReport, reportCoverage } from './test/spec-coverage.ts';
import { runFailed, summary } from './test/summary.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dir = stateFolder('servers');
const MINUTE = 60_000;

/** Its tests start their own stacks, with replicas and players that no release has. */
const OWN_STACKS = 'test-e2e/contract';
/** They kill the servers that all suites use. */
const DISTURBING = ['test-e2e/faults', 'test-e2e/chaos'];

await runCommand(
  async (interrupted) => {
    try {
      return await main(interrupted);
    } catch (error) {
      process.stdout.write('0 passed, 1 failed, 0 skipped\n');
      throw error;
    }
  },
  { graceMs: 60_000 },
);

async function main(interrupted: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      grep: { type: 'string' },
      long: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      coverage: { type: 'boolean', default: false },
    },
  });
  if (values.coverage) {
    process.stdout.write(`${coverageReport(root)}\n`);
    return 0;
  }
  const all = isCluster() ? allSuites(root).filter(isEndToEnd) : allSuites(root);
  const unmatched = unmatchedNames(root, all, positionals);
  if (unmatched.length > 0) {
    print(`no suite or test file matches: ${unmatched.join(' ')}`);
    return 2;
  }
  const suites = chosenSuites(root, all, positionals);
  if (values.list) {
    for (const { name, files } of suites)
      process.stdout.write(`${name}\n${files.map((file) => `  ${file}\n`).join('')}`);
    return 0;
  }
  const results = await runAll(suites, values, interrupted);
  // Only a whole run says what of the specification is proven.
  const isWhole = positionals.length === 0 && values.grep === undefined;
  if (isWhole && !isCluster()) {
    const { text, unproven } = reportCoverage(root, results);
    process.stdout.write(`\n${text}\n`);
    if (unproven.tests.length > 0) results.push(unproven);
  }
  process.stdout.write(`\n${summary(results)}\n`);
  return runFailed(results) ? 1 : 0;
}

/** Whether the services under test are a release in a cluster, with its own servers. */
function isCluster(): boolean {
  return (process.env['VDS_TARGET'] ?? 'host') !== 'host';
}

function isEndToEnd({ name }: Suite): boolean {
  return name.startsWith('test-e2e');
}

type Options = { readonly long: boolean; readonly grep?: string | undefined };

async function runAll(suites: Suite[], { long, grep }: Options, signal: AbortSignal): Promise<SuiteResult[]> {
  const { file, started } = needsServers(suites) ? await ensureServers() : { file: '', started: [] };
  const env = { ...process.env, VDS_SERVERS: file, ...(long ? { VDS_LONG: '1' } : {}) };
  // One suite installs, upgrades and disturbs a release many times.
  const limits = { grep, capMs: (long || isCluster() ? 90 : 20) * MINUTE, lingerMs: 20_000 };
  const results: SuiteResult[] = [];
  const live = async (suite: Suite): Promise<void> => {
    process.stdout.write(`\n── ${suite.name} ──\n`);
    if (isCluster() && suite.name === OWN_STACKS) return void results.push(leftOut(suite));
    results.push(await runSuite(suite, env, signal, limits));
  };
  // While suites run side by side, a suite's output is printed at once.
  const whole =
    (ports: PortRange, lane: number) =>
    async (suite: Suite): Promise<void> => {
      print(`… ${suite.name}`);
      const own = { ...portVariable(ports), VDS_E2E_STACK: `e2e${'ab'.charAt(lane)}` };
      const result = await runSuite(suite, { ...env, ...own }, signal, { ...limits, print: 'whole' });
      results.push(result);
      print(`── ${suite.name}: ${result.seconds.toFixed(0)} s ──`);
    };
  const isBeside = ({ name }: Suite): boolean => !isCluster() && !DISTURBING.includes(name);
  const beside = longestFirst(suites.filter(isBeside));
  try {
    if (beside.length > 1)
      await Promise.all(laneRanges.map((ports, lane) => runLane(beside, whole(ports, lane), signal)));
    await runLane([...beside, ...suites.filter((suite) => !isBeside(suite))], live, signal);
  } finally {
    if (started.length > 0) await step('stopping the servers', async () => await down(dir, started));
  }
  return results;
}

/** Starts the servers that do not run and returns the path of servers.json with the names of the started ones. */
async function ensureServers(): Promise<{ file: string; started: ServerName[] }> {
  if (isCluster()) {
    await install(['ffmpeg', 'browser']);
    return { file: '', started: [] };
  }
  const serversFile = process.env['VDS_SERVERS'];
  if (serversFile !== undefined) {
    spareServers(readServers(serversFile).nats.dir);
    return { file: resolve(serversFile), started: [] };
  }
  await install();
  const before = status(dir);
  await step('servers', async () => await up(dir));
  return { file: join(dir, 'servers.json'), started: USUAL_SERVERS.filter((name) => before[name] === null) };
}

function leftOut({ name, files }: Suite): SuiteResult {
  const reason = 'opens its own stacks, as processes of this host';
  return { name, seconds: 0, tests: [{ title: `${files.length} files`, state: 'skipped', ms: 0, reason }] };
}

/** Runs suites from the list, one after the other, until none is left. */
async function runLane(list: Suite[], run: (suite: Suite) => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let suite = list.shift(); suite !== undefined && !signal.aborted; suite = list.shift()) await run(suite);
}
