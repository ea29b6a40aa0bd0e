/** Packages of npm with programs for this platform, whose checksums npm verifies, unpacked into the tools folder. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { find, run, toolsDir } from '../servers/command.ts';
import { step } from '../servers/progress.ts';

export type NpmPackage = {
  /** Name and version, as npm takes them. */
  readonly name: string;
  /** Its folder in the tools folder. */
  readonly folder: string;
  /** The folder of the package that is kept. */
  readonly kept: string;
  /** Runs in the unpacked package before it is kept. */
  readonly prepare?: (unpacked: string) => Promise<unknown>;
};

/** Its folder in the tools folder; null if it is missing and npm cannot provide it. */
export async function unpackedNpmPackage(wanted: NpmPackage): Promise<string | null> {
  const folder = join(toolsDir(), wanted.folder);
  if (existsSync(folder)) return folder;
  const isPackaged = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  if (!isPackaged || find('npm') === null || find('tar') === null) return null;
  try {
    await step(`${wanted.name} from npm`, () => unpack(wanted, folder));
    return folder;
  } catch {
    return null; // no network: the caller reports that it is skipped
  }
}

async function unpack({ name, kept, prepare }: NpmPackage, folder: string): Promise<void> {
  mkdirSync(toolsDir(), { recursive: true });
  const part = mkdtempSync(join(toolsDir(), 'npm.part-'));
  try {
    const archive = await run('npm', ['pack', '--silent', '--pack-destination', part, name], { cwd: part });
    await run('tar', ['xzf', join(part, archive.trim())], { cwd: part });
    const unpacked = join(part, 'package');
    await prepare?.(unpacked);
    if (!existsSync(folder)) renameSync(join(unpacked, kept), folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
