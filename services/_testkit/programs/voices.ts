/** SVOX Pico (Apache 2.0), whose German, Spanish, French and Italian a speech engine understands; PyPI has it. */
import { installPythonPackage, pythonProgram, type PythonPackage } from './python.ts';

const PICO: PythonPackage = { folder: 'voices', name: 'py-nanotts', version: '0.1.1' };

/** Path of a Python that has Pico's voices; null if it is not installed. */
export function picoPython(): string | null {
  return pythonProgram(PICO, 'python');
}

/** Whether PyPI has Pico for this machine. */
export function hasPico(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Installs Pico's voices (8 MB) into a virtual environment of the tools folder. */
export async function installPico(): Promise<void> {
  return await installPythonPackage(PICO);
}
