/**
 * Starts the servers and the whole house on this host, with readable logs, until Ctrl-C.
 *   npm run dev [-- --transcode <replicas>] [--level debug]
 * Everything stays in .vds/dev: the next start continues with the same data, ports and secrets.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pretty from 'pino-pretty';
import { startHouse, type House } from './house/start-house.ts';
import { serviceNames } from './house/services.ts';
import { install } from './servers/install.ts';
import { say, secondsSince, step } from './servers/progress.ts';
import { down, up } from './servers/up.ts';

const dir = fileURLToPath(new URL('../.vds/dev', import.meta.url));
const width = Math.max(...serviceNames.map((name) => name.length)) + 2;

/** Turns the JSON lines of every process into coloured ones that begin with the process's name. */
const readable = () => {
  const format = pretty.prettyFactory({
    colorize: process.stdout.isTTY,
    ignore: 'pid,hostname,service',
    singleLine: true,
  });
  return (name: string, line: string): void => {
    const text = line.startsWith('{') ? format(line) : `${line}\n`;
    process.stdout.write(`${name.padEnd(width)}${text}`);
  };
};

const describe = (house: House): string =>
  [
    ...house.processes.map(
      ({ name, url, adminUrl }) => `${name.padEnd(width)}${(url ?? '–').padEnd(26)}  metrics ${adminUrl}/metrics`,
    ),
    `logs      ${join(house.dir, 'logs')}`,
    'Ctrl-C stops everything.',
  ].join('\n');

const interrupted = async (): Promise<void> =>
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { transcode: { type: 'string', default: '1' }, level: { type: 'string', default: 'info' } },
  });
  const from = performance.now();
  await install(['postgres', 'nats', 's3', 'ffmpeg', 'sandbox']);
  const servers = await step('servers', async () => await up(join(dir, 'servers'), { durable: true }));
  try {
    const env = Object.fromEntries(serviceNames.map((name) => [name, { LOG_LEVEL: values.level }]));
    const replicas = { transcode: Number(values.transcode) };
    const options = { dir: join(dir, 'house'), servers, replicas, env, onLine: readable() };
    const house = await step('house', async () => await startHouse(options));
    say(`${describe(house)}\nready after ${secondsSince(from)}`);
    await interrupted();
    await step('stopping the house', async () => await house.stop());
  } finally {
    await step('stopping the servers', async () => await down(join(dir, 'servers')));
  }
};

try {
  await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
