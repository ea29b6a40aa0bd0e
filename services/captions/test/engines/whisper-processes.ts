/** Opens the engine whisper for tests, and finds its processes. */
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '@vds/chassis/sandbox/sandbox';
import { testSandbox } from '@vds/testkit/harness/sandbox';
import { readServers } from '@vds/testkit/servers/servers-file';
import type { PythonModelOptions } from '../../src/outbound/engines/python-model.ts';
import { silent } from './support.ts';

/** Options of an engine whose processes differ from all others; undefined if it is not installed. */
export async function whisperOptions(folder: string, sandbox?: Sandbox): Promise<PythonModelOptions | undefined> {
  const { speechPython, speechModel } = readServers();
  if (!speechPython || !speechModel) return undefined;
  // Their arguments name the model by a path that nobody else uses.
  const model = join(folder, 'model');
  await symlink(speechModel, model);
  return {
    ...{ python: speechPython, model, threads: 1, scratchDir: folder, log: silent },
    ...{ memoryBytes: 2 ** 31, niceness: 0, timeoutMs: 120_000 },
    sandbox: sandbox ?? (await testSandbox()),
  };
}

/** The ids of the Python processes that an engine with this model runs. */
export async function processesOf(model: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const args = await readFile(`/proc/${id}/cmdline`, 'utf8').then(
        (text) => text.split('\0'),
        (): string[] => [],
      );
      return args[0]?.includes('python') === true && args.includes(model) ? [Number(id)] : [];
    }),
  );
  return found.flat();
}
