/**
 * Starts every program of an image's tree without any configuration: it must resolve all its imports and report what is
 * missing. `node scripts/images/prove.ts app|migrate <folder of the tree>`; exit code 1 names the first program that
 * fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contents, type Tree } from './contents.ts';

type Proof = {
  readonly what: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly expected: RegExp;
};

function startsOf(tree: Tree, folder: string): Proof[] {
  return globSync(contents[tree].programs, { cwd: folder })
    .toSorted()
    .map((program) => ({
      what: program,
      args: program.includes('vdsctl') ? [program, '--help'] : [program],
      cwd: folder,
      expected: program.includes('vdsctl') ? /^Usage: vdsctl/ : /bad configuration|usage:|nothing to provision/,
    }));
}

/** Prisma's command reaches the point where the database is missing, without contacting any other host. */
function prismaOf(folder: string): Proof[] {
  return globSync('services/*/prisma.config.ts', { cwd: folder })
    .slice(0, 1)
    .map((config) => ({
      what: 'prisma',
      args: ['node_modules/prisma/build/index.js', 'migrate', 'deploy'],
      cwd: join(folder, dirname(config)),
      expected: /Can't reach database server/,
    }));
}

const [tree, folder] = process.argv.slice(2);
if ((tree !== 'app' && tree !== 'migrate') || folder === undefined || !existsSync(folder)) {
  process.stderr.write('usage: node scripts/images/prove.ts app|migrate <folder of the tree>\n');
  process.exit(2);
}
const proofs = [...startsOf(tree, folder), ...prismaOf(folder)];
const env = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', CHECKPOINT_DISABLE: '1', HOME: '/tmp' };
for (const { what, args, cwd, expected } of proofs) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--enable-source-maps', ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (expected.test(`${stdout}`) || expected.test(stderr)) continue;
  process.stderr.write(`${what} does not start in ${folder}:\n${stdout}${stderr}\n`);
  process.exit(1);
}
process.stdout.write(`${tree}: ${proofs.length} programs start\n`);
