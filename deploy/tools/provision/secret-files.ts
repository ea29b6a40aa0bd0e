/** The components' passwords as a pod has them: mounted Secrets, `<folder>/<component>/<key>`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Household } from '../installation.ts';
import type { ServiceName } from '../services.ts';
import { serverKeys } from './component-keys.ts';

export type SecretFiles = Household & {
  /** The value of a key that is no password. */
  readonly key: (service: ServiceName, key: string) => string;
};

/** Which keys of which component will be asked for. */
export type Wanted = ReadonlyMap<ServiceName, readonly string[]>;

/** @throws Error that names every file that is missing or empty, before anything was done with the others */
export function readSecretFiles(folder: string, wanted: Wanted): SecretFiles {
  const values = new Map<string, string>();
  const byPurpose = new Map<string, string>();
  const missing: string[] = [];
  for (const [service, keys] of wanted) {
    for (const key of keys) {
      const value = readText(join(folder, service, key));
      if (value === '') missing.push(`${service}/${key}`);
      values.set(`${service}/${key}`, value);
      byPurpose.set(serverKeys(service).get(key) ?? key, value);
    }
  }
  if (missing.length > 0)
    throw new Error(
      `${folder} lacks ${missing.join(', ')}: the Secret of each component must be there with these keys.`,
    );
  const found = (map: ReadonlyMap<string, string>, name: string): string => {
    const value = map.get(name);
    if (value === undefined) throw new Error(`the secret '${name}' was not asked for`);
    return value;
  };
  return {
    name: '',
    secret: (purpose) => found(byPurpose, purpose),
    key: (service, key) => found(values, `${service}/${key}`),
  };
}

/** The file's text without the line end that an editor leaves; '' where there is none. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch {
    return ''; // said by the caller, with all others
  }
}
