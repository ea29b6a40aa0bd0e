/**
 * Starts every program of an image's tree without any configuration: it must resolve all its imports and report the
 * missing settings. `node scripts/images/prove.ts app|migrate <folder of the tree>`; exit code 1 names the first
 * program that fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { contents, type Tree } from './contents.ts';

type Proof = {
  readonly what: string;
  readonly args: readonly string[];
  readonly expected: RegExp;
};

function startsOf(tree: Tree, folder: string): Proof[] {
  return globSync(contents[tree].programs, { cwd: folder })
    .toSorted()
    .map((program) => ({
      what: program,
      args: program.includes('vdsctl') ? [program, '--help'] : [program],
      expected: program.includes('vdsctl') ? /^Usage: vdsctl/ : /bad configuration|usage:|nothing to provision/,
    }));
}

const [tree, folder] = process.argv.slice(2);
if ((tree !== 'app' && tree !== 'migrate') || folder === undefined || !existsSync(folder)) {
  process.stderr.write('usage: node scripts/images/prove.ts app|migrate <folder of the tree>\n');
  process.exit(2);
}
const proofs = startsOf(tree, folder);
for (const { what, args, expected } of proofs) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--enable-source-maps', ...args], {
    cwd: folder,
    env: { HOME: '/tmp' },
    encoding: 'utf8',
  });
  if (expected.test(`${stdout}`) || expected.test(stderr)) continue;
  process.stderr.write(`${what} does not start in ${folder}:\n${stdout}${stderr}\n`);
  process.exit(1);
}
process.stdout.write(`${tree}: ${proofs.length} programs start\n`);
