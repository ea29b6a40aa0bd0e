/**
 * The servers that the house needs on this machine: PostgreSQL, nats-server, an S3 gateway (and OpenSearch when asked).
 *   npm run servers -- install [--opensearch]
 *   npm run servers -- up | down | status [--dir <folder>] [--opensearch] [--durable]
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install, USUAL_PARTS } from './servers/install.ts';
import { say, secondsSince, step } from './servers/progress.ts';
import { down, status, up, USUAL_SERVERS } from './servers/up.ts';

const USAGE = 'usage: npm run servers -- install | up | down | status [--dir <folder>] [--opensearch] [--durable]';

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      dir: { type: 'string', default: fileURLToPath(new URL('../.vds/servers', import.meta.url)) },
      opensearch: { type: 'boolean', default: false },
      durable: { type: 'boolean', default: false },
    },
  });
  const { dir, opensearch, durable } = values;
  const parts = opensearch ? [...USUAL_PARTS, 'opensearch' as const] : USUAL_PARTS;
  const which = opensearch ? [...USUAL_SERVERS, 'opensearch' as const] : USUAL_SERVERS;
  const from = performance.now();
  switch (positionals[0]) {
    case 'install':
      await install(parts);
      say(`everything is installed (${secondsSince(from)})`);
      return 0;
    case 'up':
      await install(parts);
      await step(`servers in ${dir}`, async () => await up(dir, { which, durable }));
      process.stdout.write(`${dir}/servers.json\n`);
      return 0;
    case 'down':
      say(`stopped: ${(await down(dir)).join(', ') || 'nothing ran'} (${secondsSince(from)})`);
      return 0;
    case 'status': {
      const pids = status(dir);
      for (const [name, pid] of Object.entries(pids))
        process.stdout.write(`${name} ${pid === null ? 'down' : `up, pid ${pid}`}\n`);
      return USUAL_SERVERS.every((name) => pids[name] !== null) ? 0 : 1;
    }
    default:
      say(USAGE);
      return 2;
  }
};

try {
  process.exitCode = await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
