/** Schemathesis, from PyPI, in its own environment in the tools folder. */
import { fileURLToPath } from 'node:url';
import { installPythonPackage, pythonProgram, type PythonPackage } from '@vds/testkit/programs/python';

const SCHEMATHESIS: PythonPackage = {
  folder: 'fuzz',
  name: 'schemathesis',
  version: '4.32.5',
  constraints: fileURLToPath(new URL('constraints.txt', import.meta.url)),
};

/** Path of the program; installs it if it is missing. Throws one sentence if it cannot be installed. */
export async function schemathesis(): Promise<string> {
  if (installedSchemathesis() === null) await installPythonPackage(SCHEMATHESIS);
  const program = installedSchemathesis();
  if (program === null) throw new Error('schemathesis was installed from PyPI, and its program is not there');
  return program;
}

/** Its path; null if it is not installed. */
function installedSchemathesis(): string | null {
  return pythonProgram(SCHEMATHESIS, 'schemathesis');
}
