/** Puts a new service into a tree. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { roomFiles } from './room-files.ts';

/**
 * Writes the rooms of a service.
 * @param root folder that has `services/`
 * @returns paths of the files that were written
 * @throws Error where the name will not do or is taken; nothing was written then
 */
export const writeService = (root: string, name: string): string[] => {
  if (!/^[a-z][a-z0-9]{1,19}$/.test(name))
    throw new Error(`'${name}' cannot be the name of a service: 2 to 20 small letters and digits, a letter first`);
  if (existsSync(join(root, 'services', name))) throw new Error(`services/${name} is there already`);
  const files = Object.entries(roomFiles(name));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { flag: 'wx' });
  }
  return files.map(([path]) => path);
};
