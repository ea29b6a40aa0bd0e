/** Common misspellings in code and texts, by `typos`: on PATH, else from PyPI. */
import { fileURLToPath } from 'node:url';
import { messageOf } from '@vds/chassis/errors';
import { output, type Outcome } from './charts/outcome.ts';
import { installPythonPackage, pythonProgram, type PythonPackage } from '@vds/testkit/programs/python';
import { find } from '@vds/testkit/servers/command';

const TYPOS: PythonPackage = { folder: 'typos', name: 'typos', version: '1.52.0' };
const CONFIG = fileURLToPath(new URL('typos.toml', import.meta.url));

/** @param root folder whose files are read */
export async function checkSpelling(root: string): Promise<Outcome> {
  const program = find('typos') ?? pythonProgram(TYPOS, 'typos') ?? (await installed());
  if (program instanceof Error) return { state: 'skipped', detail: `typos is not on PATH, and ${program.message}` };
  const { code, text } = await output(program, ['--config', CONFIG, '--format', 'brief'], { cwd: root });
  return code === 0 ? { state: 'ok', detail: '' } : { state: 'failed', detail: text };
}

async function installed(): Promise<string | Error> {
  try {
    await installPythonPackage(TYPOS);
  } catch (error) {
    return new Error(messageOf(error));
  }
  return pythonProgram(TYPOS, 'typos') ?? new Error('PyPI has none for this machine');
}
