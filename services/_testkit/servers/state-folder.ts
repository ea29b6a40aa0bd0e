/** Folder for what this checkout's commands keep between runs: `VDS_STATE`, by default `.vds` in the repository. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const DEFAULT = fileURLToPath(new URL('../../../.vds', import.meta.url));

/** A path in that folder. */
export function stateFolder(...parts: string[]): string {
  return join(resolve(process.env['VDS_STATE'] ?? DEFAULT), ...parts);
}
