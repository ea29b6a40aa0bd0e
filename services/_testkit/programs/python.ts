/** Programs from PyPI, each in its own virtual environment in the tools folder. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall } from './apt.ts';
import { executable, find, run, toolsDir } from '../servers/command.ts';
import { step } from '../servers/progress.ts';

/** A pinned PyPI package and the folder of its environment. */
export type PythonPackage = {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /**
   * File with the pinned versions of its dependencies. `requirements` has the hashes of the package and everything it
   * needs. `pins` has the versions of the package and everything it needs, which may be less than it asks for. Without any
   * of them the package is installed without dependencies.
   */
  readonly constraints?: string;
  readonly requirements?: string;
  readonly pins?: string;
};

/** Path of a program of the package's environment; null if the package has to be installed first. */
export function pythonProgram(wanted: PythonPackage, program: string): string | null {
  const path = join(environmentOf(wanted), 'bin', program);
  return executable(path) && isComplete(wanted) ? path : null;
}

/** An interrupted installation is not complete, nor one from other requirements. */
function isComplete(wanted: PythonPackage): boolean {
  const folder = environmentOf(wanted);
  const listed = wanted.requirements ?? wanted.pins;
  if (listed !== undefined) {
    const stamp = join(folder, STAMP);
    return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(listed);
  }
  // pip writes RECORD last: an interrupted installation has none.
  const record = `lib/python3*/site-packages/${wanted.name.replaceAll('-', '_')}-${wanted.version}.dist-info/RECORD`;
  return globSync(record, { cwd: folder }).length > 0;
}

const STAMP = 'requirements.sha256';

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
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
    await run(join(folder, 'bin', 'pip'), [
      'install',
      '--quiet',
      '--disable-pip-version-check',
      ...argumentsOf(wanted),
    ]);
    const listed = wanted.requirements ?? wanted.pins;
    if (listed !== undefined) writeFileSync(join(folder, STAMP), hashOf(listed));
  });
}

function argumentsOf({ name, version, constraints, requirements, pins }: PythonPackage): string[] {
  if (requirements !== undefined) return ['--require-hashes', '--requirement', requirements];
  if (pins !== undefined) return ['--no-deps', '--requirement', pins];
  return [...(constraints === undefined ? ['--no-deps'] : ['--constraint', constraints]), `${name}==${version}`];
}

/** Whether Python can create virtual environments: Debian ships it without. */
export function makesEnvironments(): boolean {
  const python = find('python3');
  return python !== null && spawnSync(python, ['-c', 'import ensurepip, venv']).status === 0;
}
