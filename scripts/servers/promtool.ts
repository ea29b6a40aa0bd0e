/** promtool: on PATH or in the tools folder, else out of Debian's package of Prometheus, which is unpacked, not installed. */
import { copyFileSync, chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find, run, toolsDir } from './command.ts';
import { step } from './progress.ts';

/** Fetches the package as its own files do not matter: nothing of it runs as a server. */
const unpack = async (): Promise<string> => {
  const bin = join(toolsDir(), 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'vds-promtool-'));
  try {
    await run('apt-get', ['download', '-q', 'prometheus'], { cwd: folder });
    const [archive] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
    if (archive === undefined) throw new Error('apt-get download left no package');
    await run('dpkg-deb', ['-x', archive, 'unpacked'], { cwd: folder });
    mkdirSync(bin, { recursive: true });
    const part = join(bin, `promtool.part-${process.pid}`);
    copyFileSync(join(folder, 'unpacked/usr/bin/promtool'), part);
    chmodSync(part, 0o755);
    renameSync(part, join(bin, 'promtool'));
    return join(bin, 'promtool');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Path of promtool; null where it is neither there nor to be had by apt. */
export const promtool = async (): Promise<string | null> => {
  const found = find('promtool');
  if (found !== null || find('apt-get') === null || find('dpkg-deb') === null) return found;
  try {
    return await step('promtool out of the Debian package prometheus', unpack);
  } catch {
    return null; // no package lists, or no network: the check that wants it says that it is skipped
  }
};
