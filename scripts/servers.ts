/**
 * The servers that the stack needs on this machine: PostgreSQL, nats-server, an S3 gateway and OpenSearch.
 *   npm run servers -- install [keda | pgbouncer | mbrola]   installs what the stack and its tests' browser need, or only that
 *   npm run servers -- compose          prepares the same servers as containers and prints the command
 *   npm run servers -- up | down | status [--dir <folder>] [--durable]
 * `down` also ends what a killed command (dev, demo, bench, test …) of this checkout left running.
 */
import { parseArgs } from 'node:util';
import { EXTRA_PARTS, install, USUAL_PARTS, type Part } from '@vds/testkit/programs/install';
import { endAbandoned } from '@vds/testkit/servers/owned-processes';
import { print, runMain, secondsSince, step } from '@vds/testkit/servers/progress';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { down, prepareCompose, status, up, USUAL_SERVERS } from '@vds/testkit/servers/up';

const USAGE =
  'usage: npm run servers -- install [keda | pgbouncer | mbrola] | up | down | status | compose [--dir <folder>] [--durable]';

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      dir: { type: 'string' },
      durable: { type: 'boolean', default: false },
    },
  });
  const { durable } = values;
  const dir = values.dir ?? stateFolder(positionals[0] === 'compose' ? 'compose' : 'servers');
  const from = performance.now();
  switch (positionals[0]) {
    case 'install':
      await install(partsOf(positionals[1]));
      print(`everything is installed (${secondsSince(from)})`);
      return 0;
    case 'up':
      await install();
      await step(`servers in ${dir}`, async () => await up(dir, { durable }));
      process.stdout.write(`${dir}/servers.json\n`);
      return 0;
    case 'compose':
      process.stdout.write(
        `docker compose --env-file ${await prepareCompose(dir)} -f deploy/compose.yaml up -d --wait\n`,
      );
      return 0;
    case 'down':
      for (const [command, names] of Object.entries(await endAbandoned()))
        print(`left by ${command}, which was killed, and ended now: ${names.join(', ')}`);
      print(`stopped: ${(await down(dir)).join(', ') || 'nothing ran'} (${secondsSince(from)})`);
      return 0;
    case 'status': {
      const pids = status(dir);
      for (const [name, pid] of Object.entries(pids))
        process.stdout.write(`${name} ${pid === null ? 'down' : `up, pid ${pid}`}\n`);
      return USUAL_SERVERS.every((name) => pids[name] !== null) ? 0 : 1;
    }
    default:
      print(USAGE);
      return 2;
  }
}

await runMain(main);

function partsOf(name: string | undefined): Part[] {
  const extra = EXTRA_PARTS.filter((part) => part === name);
  return extra.length > 0 ? extra : USUAL_PARTS;
}
