/** Programs from PyPI, each in its own virtual environment in the tools folder. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall } from './apt.ts';
import { executable, find, run, toolsDir } from '../servers/command.ts';
import { step } from '../servers/progress.ts';

/** A pinned PyPI package and the folder of its environment. */
export type PythonPackage = {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** File with the pinned versions of its dependencies; without it the package is installed without any. */
  readonly constraints?: string;
};

/** Path of a program of the package's environment; null if the package has to be installed first. */
export function pythonProgram(wanted: PythonPackage, program: string): string | null {
  // pip writes RECORD last: an interrupted installation has none.
  const record = `lib/python3*/site-packages/${wanted.name.replaceAll('-', '_')}-${wanted.version}.dist-info/RECORD`;
  const path = join(environmentOf(wanted), 'bin', program);
  return executable(path) && globSync(record, { cwd: environmentOf(wanted) }).length > 0 ? path : null;
}

function environmentOf({ folder }: PythonPackage): string {
  return join(toolsDir(), folder);
}

/** Installs the package into a fresh environment. Throws one sentence if there is no Python 3. */
export async function installPythonPackage(wanted: PythonPackage): Promise<void> {
  const python = find('python3');
  const pinned = `${wanted.name}==${wanted.version}`;
  if (python === null) throw new Error(`${pinned} needs Python 3: please install it and run again.`);
  const folder = environmentOf(wanted);
  await step(`${pinned} from PyPI`, async () => {
    if (!makesEnvironments()) await aptInstall(['python3-venv']);
    await run(python, ['-m', 'venv', '--clear', folder]);
    const others = wanted.constraints === undefined ? ['--no-deps'] : ['--constraint', wanted.constraints];
    const options = ['--quiet', '--disable-pip-version-check', ...others];
    await run(join(folder, 'bin', 'pip'), ['install', ...options, pinned]);
  });
}

/** Whether Python can create virtual environments: Debian ships it without. */
export function makesEnvironments(): boolean {
  const python = find('python3');
  return python !== null && spawnSync(python, ['-c', 'import ensurepip, venv']).status === 0;
}
