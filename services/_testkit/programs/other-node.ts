/** Other versions of Node.js than the one that everything runs on. */
import { join } from 'node:path';
import { unpackedNpmPackage } from './npm-package.ts';

/** Path of that version's `node`; null if it is missing and npm cannot provide it. */
export async function otherNode(version: string): Promise<string | null> {
  const name = `node-linux-${process.arch}@${version}`;
  const folder = await unpackedNpmPackage({ name, folder: `node-${version}`, kept: 'bin' });
  return folder === null ? null : join(folder, 'node');
}
