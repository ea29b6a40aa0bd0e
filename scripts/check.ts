/**
 * Every static check of the repository: `npm run check [-- <name> …] [--accept]`. Prints one line per check
 * with its time; exit code 1 if any failed. A check whose program is missing is skipped with a reason.
 * `--accept` rewrites the charts' golden renders and READMEs.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@vds/chassis/errors';
import { checkAlerts } from './check/charts/monitoring/alerts.ts';
import { acceptCharts, chartChecks } from './check/charts/checks.ts';
import { checkDockerfile } from './check/dockerfile.ts';
import { checkGenerated } from './check/generated.ts';
import { checkArchitecture } from './check/architecture.ts';
import { checkMigrations } from './check/migrations.ts';
import { checkOpenapi } from './check/openapi.ts';
import { checkSpelling } from './check/spelling.ts';
import { checkWorkflows } from './check/workflows.ts';
import { program, type Check, type Outcome } from './check/charts/outcome.ts';
import { chartTools } from './check/charts/tools.ts';
import { secondsSince } from '@vds/testkit/servers/progress';

const root = fileURLToPath(new URL('..', import.meta.url));
function bin(name: string): string {
  return join(root, 'node_modules/.bin', name);
}
const args = process.argv.slice(2);
const tools = chartTools();

/** The longest ones first. Two run at a time: the compiler and the linter use every core by themselves. */
const checks: readonly Check[] = [
  program('types', root, bin('tsc'), ['-p', 'tsconfig.json']),
  { name: 'alerts', run: () => checkAlerts(root) },
  ...chartChecks(root, tools),
  program('lint', root, bin('oxlint'), [
    '--type-aware',
    '--deny-warnings',
    '--report-unused-disable-directives',
    '--format=unix',
  ]),
  program('unused', root, bin('knip'), ['--no-progress', '--no-config-hints']),
  { name: 'generated', run: () => checkGenerated(root) },
  program('format', root, bin('oxfmt'), ['--check', '.']),
  { name: 'architecture', run: async () => checkArchitecture(root) },
  { name: 'migrations', run: async () => checkMigrations(root) },
  { name: 'spelling', run: () => checkSpelling(root) },
  { name: 'openapi', run: () => checkOpenapi(root) },
  { name: 'dockerfile', run: () => checkDockerfile(root) },
  { name: 'workflows', run: () => checkWorkflows(root, tools) },
];
const AT_ONCE = 2;

function print(name: string, { state, detail }: Outcome, from: number): void {
  const line = `${state.padEnd(8)} ${name.padEnd(12)} ${secondsSince(from).padStart(6)}`;
  const indented = detail === '' ? '' : `\n${detail.replaceAll(/^/gm, '    ')}`;
  process.stdout.write(state === 'failed' ? `${line}${indented}\n` : `${line}${detail === '' ? '' : `  ${detail}`}\n`);
}

async function runOne(check: Check): Promise<Outcome['state']> {
  const from = performance.now();
  let outcome: Outcome;
  try {
    outcome = await check.run();
  } catch (error) {
    outcome = { state: 'failed', detail: messageOf(error) };
  }
  print(check.name, outcome, from);
  return outcome.state;
}

const selected = args.filter((arg) => arg !== '--accept');
const unknown = selected.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  const names = checks.map(({ name }) => name).join(', ');
  process.stderr.write(`there is no check ${unknown.join(', ')}; there are ${names}, and --accept\n`);
  process.exit(2);
}

if (args.includes('--accept')) {
  try {
    await acceptCharts(root, tools);
  } catch (error) {
    process.stderr.write(`not all could be accepted: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

const from = performance.now();
const waiting = checks.filter(({ name }) => selected.length === 0 || selected.includes(name));
const ended: Outcome['state'][] = [];
async function worker(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) ended.push(await runOne(check));
}
await Promise.all(Array.from({ length: AT_ONCE }, worker));

function count(state: Outcome['state']): number {
  return ended.filter((one) => one === state).length;
}
const sum = `${count('ok')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
process.stdout.write(`checks: ${sum} in ${secondsSince(from)}\n`);
if (count('failed') > 0) process.exitCode = 1;
