/** A folder that is deleted with the process, however the process ends: its content may be secret. */
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

export function temporaryFolder(prefix: string): string {
  if (folders.size === 0) removeOnExit();
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.add(folder);
  return folder;
}

/** A signal without a handler would end the process without its `exit` event. */
function removeOnExit(): void {
  process.once('exit', removeAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
