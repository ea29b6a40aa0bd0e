/**
 * Prometheus and promtool: on PATH or in the tools folder, else from Debian's package of Prometheus, which is unpacked
 * but not installed, so that no daemon starts.
 */
import { copyFileSync, chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find, run, toolsDir } from '../servers/command.ts';
import { step } from '../servers/progress.ts';

type Program = 'prometheus' | 'promtool';

/** Path of promtool; null if it is missing and apt cannot provide it. */
export function promtool(): Promise<string | null> {
  return programOf('promtool');
}

async function programOf(name: Program): Promise<string | null> {
  const found = find(name);
  if (found !== null || find('apt-get') === null || find('dpkg-deb') === null) return found;
  try {
    return await step(`${name} out of the Debian package prometheus`, () => unpack(name));
  } catch {
    return null; // no package lists, or no network: the caller reports that it is skipped
  }
}

/** Copies one program of the package into the tools folder. */
async function unpack(name: Program): Promise<string> {
  const bin = join(toolsDir(), 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'vds-prometheus-'));
  try {
    await run('apt-get', ['download', '-q', 'prometheus'], { cwd: folder });
    const [archive] = readdirSync(folder).filter((file) => file.endsWith('.deb'));
    if (archive === undefined) throw new Error('apt-get download left no package');
    await run('dpkg-deb', ['-x', archive, 'unpacked'], { cwd: folder });
    mkdirSync(bin, { recursive: true });
    const part = join(bin, `${name}.part-${process.pid}`);
    copyFileSync(join(folder, 'unpacked/usr/bin', name), part);
    chmodSync(part, 0o755);
    renameSync(part, join(bin, name));
    return join(bin, name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Path of Prometheus itself; null if it is missing and apt cannot provide it. */
export function prometheus(): Promise<string | null> {
  return programOf('prometheus');
}
