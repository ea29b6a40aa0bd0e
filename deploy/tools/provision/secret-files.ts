/** The components' passwords as mounted Secrets: `<folder>/<component>/<key>`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation } from '../installation.ts';
import type { ServiceName } from '../services.ts';
import { serverKeys } from './component-keys.ts';

export type SecretFiles = Installation & {
  /** The value of a key that is not a password. */
  readonly key: (service: ServiceName, key: string) => string;
};

/** Component → the keys that will be read. */
export type RequiredKeys = ReadonlyMap<ServiceName, readonly string[]>;

/** Names the folder with the Secrets of the users that are being replaced. */
export const PREVIOUS = 'PREVIOUS_SECRETS_DIR';

/**
 * @param name the prefix of the installation
 * @param variable that names the folder
 * @throws Error that names every missing or empty file
 */
export function readSecretFiles(
  folder: string | undefined,
  required: RequiredKeys,
  name = '',
  variable = 'SECRETS_DIR',
): SecretFiles {
  if (folder === undefined && required.size > 0)
    throw new Error(`${variable} is not set: the folder with the Secret of each component, <component>/<key>`);
  const values = new Map<string, string>();
  const byPurpose = new Map<string, string>();
  const missing: string[] = [];
  for (const [service, keys] of required) {
    for (const key of keys) {
      const value = readText(join(folder ?? '', service, key));
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
    if (value === undefined) throw new Error(`the secret '${name}' was not read`);
    return value;
  };
  return {
    name,
    secret: (purpose) => found(byPurpose, purpose),
    key: (service, key) => found(values, `${service}/${key}`),
  };
}

/** The file's text without a trailing line break; '' if it cannot be read. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch {
    return ''; // the caller reports all missing files together
  }
}
