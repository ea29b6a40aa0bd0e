/** The components' values and certificates as files, `<component>/<key>`; provisioning reads the values (SECRETS_DIR). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPS, OPERATOR, serviceNames } from '../services.ts';
import type { Secrets } from './release-secrets.ts';

/**
 * Writes them into a new folder that only its owner can read.
 * @param fullname before the component in the names of the Secrets
 * @throws Error if the folder exists: its values may be in use
 */
export function writeComponentFolder(folder: string, fullname: string, secrets: Secrets): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`${folder} exists already and its values may be in use; choose another name, or remove it.`, {
      cause: error,
    });
  }
  for (const component of [...serviceNames, OPERATOR, APPS].flatMap((one) => [one, `${one}-tls`])) {
    const values = secrets.get(`${fullname}-${component}`);
    if (values === undefined) continue;
    mkdirSync(join(folder, component), { mode: 0o700 });
    for (const [key, value] of Object.entries(values))
      writeFileSync(join(folder, component, key), value, { mode: 0o600, flag: 'wx' });
  }
}
