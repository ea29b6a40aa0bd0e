/** `@vds/client` as a partner gets it: packed by npm, installed into an empty folder. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../servers/command.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** What packing reads. A copy is packed: suites that run side by side would overwrite each other's `dist`. */
const sources = [
  ...['LICENSE', 'tsconfig.json', 'proto/generated/openapi.ts'],
  ...['package.json', 'tsconfig.json', 'README.md', 'src'].map((name) => `services/_client/${name}`),
];

/** Packs the client with `npm pack` and returns the path of the tarball in the folder. */
export async function packClient(folder: string): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'vds-client-source-'));
  try {
    for (const name of sources) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
    const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}` };
    const args = ['pack', '--silent', '--foreground-scripts=false', '--pack-destination', folder];
    return join(folder, (await run('npm', args, { cwd: join(copy, 'services/_client'), env })).trim());
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A new folder with a package of ES modules that has the client as its only dependency, offline and without scripts. */
export async function installedClient(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-client-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  const tarball = await packClient(folder);
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], { cwd: folder });
  return folder;
}
