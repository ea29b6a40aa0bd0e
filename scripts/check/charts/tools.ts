/** The programs of the charts' checks, which are built if they are missing. */
import { join } from 'node:path';
import { messageOf } from '@vds/chassis/errors';
import { executable, find, toolsDir } from '@vds/testkit/servers/command';
import { installGoProgram, type GoProgram } from '@vds/testkit/programs/go-programs';
import { output } from './outcome.ts';

/** A missing program, and why; the check that needs it is skipped with this sentence. */
export class ToolMissing extends Error {}

let building: Promise<unknown> = Promise.resolve();

/** The paths of the programs; each is resolved once, and a missing one rejects with ToolMissing. */
export type Tools = { readonly path: (name: GoProgram) => Promise<string> };

export function chartTools(): Tools {
  const known = new Map<GoProgram, Promise<string>>();
  const resolve = async (name: GoProgram): Promise<string> =>
    name === 'helm' || name === 'helm3' ? await helmOf(name) : (find(name) ?? (await build(name)));
  return {
    path: async (name) => {
      const path = known.get(name) ?? resolve(name);
      known.set(name, path);
      return await path;
    },
  };
}

/** Path of a Helm of this major version; the `helm` on PATH may be either. */
async function helmOf(name: 'helm' | 'helm3'): Promise<string> {
  const major = name === 'helm3' ? '3' : '4';
  for (const path of [...candidates(name), ...candidates('helm')]) {
    if (await isMajor(path, major)) return path;
  }
  return await build(name);
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
