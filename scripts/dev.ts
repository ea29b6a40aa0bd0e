/**
 * Starts the servers and the whole stack on this host, with readable logs, until Ctrl-C.
 *   npm run dev [-- --transcode <replicas>] [--level debug] [--inspect <service>]
 * VDS_SERVERS selects other servers (deploy/compose.yaml).
 * All state is in .vds/dev: the next start reuses its data, ports and secrets.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readServers, type Servers } from '@vds/testkit/servers/servers-file';
import pretty from 'pino-pretty';
import { addressesOf, openPages } from './demo/open-pages.ts';
import { openPartner } from './demo/publish-video.ts';
import { operatorOf } from '@vds/testkit/stack/operator';
import { startStack, type Stack } from '@vds/testkit/stack/start-stack';
import { serviceNames } from '@vds/deploy-tools/services';
import { STACK_PARTS, install } from '@vds/testkit/programs/install';
import { print, secondsSince, step } from '@vds/testkit/servers/progress';
import { runCommand } from '@vds/testkit/servers/run-command';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { up } from '@vds/testkit/servers/up';

const dir = stateFolder('dev');
/** Where a debugger connects to, as tools expect. */
const INSPECTOR = '127.0.0.1:9229';
const width = Math.max(...serviceNames.map((name) => name.length)) + 2;

// Its end is Ctrl-C, at any time.
await runCommand(main, { interruptedCode: 0 });

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      transcode: { type: 'string', default: '1' },
      level: { type: 'string', default: 'info' },
      inspect: { type: 'string' },
    },
  });
  const from = performance.now();
  const serversFile = process.env['VDS_SERVERS'];
  const servers = serversFile === undefined ? await ownServers() : readServers(serversFile);
  if (values.inspect !== undefined && !serviceNames.some((name) => name === values.inspect))
    throw new Error(`--inspect needs one of: ${serviceNames.join(', ')}`);
  const inspected = { NODE_OPTIONS: `--inspect=${INSPECTOR}` };
  const env = Object.fromEntries(
    serviceNames.map((name) => [name, { LOG_LEVEL: values.level, ...(name === values.inspect && inspected) }]),
  );
  const replicas = { transcode: Number(values.transcode) };
  const options = { dir: join(dir, 'stack'), servers, replicas, env, onLine: readable() };
  const stack = await step('stack', async () => await startStack(options));
  const operator = operatorOf(stack);
  const { key, partner } = await openPartner(operator, stack.url('gateway'));
  const pages = await openPages({ stack, operator, partner, videos: [] });
  print(`${describe(stack, addressesOf(pages, stack.url('gateway'), key))}\nready after ${secondsSince(from)}`);
  await new Promise(() => undefined); // the pages and the connections stay open
}

async function ownServers(): Promise<Servers> {
  await install(STACK_PARTS);
  return await step('servers', async () => await up(join(dir, 'servers'), { durable: true }));
}

/** Converts the JSON log lines of every process into coloured ones with the process's name. */
function readable() {
  const format = pretty.prettyFactory({
    colorize: process.stdout.isTTY,
    ignore: 'pid,hostname,service',
    singleLine: true,
  });
  return (name: string, line: string): void => {
    const text = line.startsWith('{') ? format(line) : `${line}\n`;
    process.stdout.write(`${name.padEnd(width)}${text}`);
  };
}

function describe(stack: Stack, addresses: string): string {
  return [
    ...stack.processes.map(
      ({ name, url, adminUrl }) => `${name.padEnd(width)}${(url ?? '–').padEnd(26)}  metrics ${adminUrl}/metrics`,
    ),
    addresses,
    `logs     ${join(stack.dir, 'logs')}`,
    'Ctrl-C stops everything.',
  ].join('\n');
}
