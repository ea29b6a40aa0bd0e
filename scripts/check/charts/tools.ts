/**
 * The programs of the charts' checks. Helm and the small ones are built if they are missing; programs that take minutes
 * are used if they exist, and built only by `npm run check -- --tools`.
 */
import { join } from 'node:path';
import { messageOf } from '@vds/chassis/errors';
import { executable, find, toolsDir } from '@vds/testkit/servers/command';
import { installGoProgram, type GoProgram } from '@vds/testkit/programs/go-programs';
import { output } from './outcome.ts';

/** A missing program, and why; the check that needs it is skipped with this sentence. */
export class ToolMissing extends Error {}

const slow: ReadonlySet<GoProgram> = new Set<GoProgram>(['kubectl-validate']);

let building: Promise<unknown> = Promise.resolve();

/** The paths of the programs; each is resolved once, and a missing one rejects with ToolMissing. */
export type Tools = { readonly path: (name: GoProgram) => Promise<string> };

export function toolsOf(all: boolean): Tools {
  const known = new Map<GoProgram, Promise<string>>();
  const resolve = async (name: GoProgram): Promise<string> =>
    name === 'helm' || name === 'helm3' ? await helmOf(name, all) : (find(name) ?? (await missing(name, all)));
  return {
    path: async (name) => {
      const path = known.get(name) ?? resolve(name);
      known.set(name, path);
      return await path;
    },
  };
}

/** Path of a Helm of this major version; the `helm` on PATH may be either. */
async function helmOf(name: 'helm' | 'helm3', all: boolean): Promise<string> {
  const major = name === 'helm3' ? '3' : '4';
  for (const path of [...candidates(name), ...candidates('helm')]) {
    if (await isMajor(path, major)) return path;
  }
  return await missing(name, all);
}

/** The programs with this name: on PATH, and in the tools folder if another one on PATH precedes it. */
function candidates(name: string): string[] {
  const own = join(toolsDir(), 'bin', name);
  return [...new Set([find(name) ?? [], executable(own) ? own : []].flat())];
}

async function isMajor(helm: string, major: string): Promise<boolean> {
  const { stdout } = await output(helm, ['version', '--template', '{{.Version}}'], { cwd: '/' });
  return stdout.startsWith(`v${major}.`);
}

async function missing(name: GoProgram, all: boolean): Promise<string> {
  if (all || !slow.has(name)) return await build(name);
  throw new ToolMissing(
    `${name} is neither on PATH nor in the tools folder; it takes minutes to build, so only npm run check -- --tools does`,
  );
}

/** One Go build at a time: each uses every core by itself. */
async function build(name: GoProgram): Promise<string> {
  const built = building.then(async () => await installGoProgram(name));
  building = Promise.allSettled([built]);
  try {
    return await built;
  } catch (error) {
    throw new ToolMissing(`${name} is not on PATH and cannot be built: ${messageOf(error)}`, { cause: error });
  }
}
