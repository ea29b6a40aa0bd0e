/** LibreTranslate's own server (AGPL-3.0), from PyPI, for the tests that ask it: never shipped, and without models. */
import { fileURLToPath } from 'node:url';
import { installPythonPackage, pythonProgram, type PythonPackage } from './python.ts';

const LIBRETRANSLATE: PythonPackage = {
  folder: 'libretranslate',
  name: 'libretranslate',
  version: '1.9.6',
  pins: fileURLToPath(new URL('libretranslate-requirements.txt', import.meta.url)),
};

/** Path of a Python that has it (110 MB, installed once); null if it is missing and PyPI cannot provide it. */
export async function libretranslatePython(): Promise<string | null> {
  const found = pythonProgram(LIBRETRANSLATE, 'python');
  if (found !== null) return found;
  try {
    await installPythonPackage(LIBRETRANSLATE);
  } catch {
    return null; // no network: the caller reports that it is skipped
  }
  return pythonProgram(LIBRETRANSLATE, 'python');
}
