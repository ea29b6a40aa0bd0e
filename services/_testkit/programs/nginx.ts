/** nginx of Debian, unpacked into the tools folder: its package, installed, would serve a page on port 80. */
import { mkdtempSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find, run, toolsDir } from '../servers/command.ts';
import { step } from '../servers/progress.ts';

const FOLDER = 'nginx';

/** Path of nginx; null if there is none. */
export function nginx(): string | null {
  return find('nginx', ['/usr/sbin', join(toolsDir(), FOLDER, 'usr/sbin')]);
}

/** Fetches the package and unpacks it. */
export async function installNginx(): Promise<void> {
  await step('nginx', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vds-nginx-'));
    try {
      const download = () => run('apt-get', ['download', 'nginx'], { cwd: folder });
      await download().catch(async () => {
        await run('apt-get', ['update', '-q']); // the lists of a fresh machine are empty
        await download();
      });
      const [file = ''] = readdirSync(folder);
      await run('dpkg-deb', ['-x', join(folder, file), join(folder, 'root')]);
      mkdirSync(toolsDir(), { recursive: true });
      rmSync(join(toolsDir(), FOLDER), { recursive: true, force: true });
      renameSync(join(folder, 'root'), join(toolsDir(), FOLDER));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
