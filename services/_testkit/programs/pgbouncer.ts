/**
 * PgBouncer, compiled into the tools folder from the sources of Debian 13, whose signatures apt verifies: the package of
 * Debian 12 is older than prepared statements in transaction mode.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executable, find, run, toolsDir } from '../servers/command.ts';
import { step } from '../servers/progress.ts';

const PACKAGE = 'pgbouncer';
const [MIN_MAJOR, MIN_MINOR] = [1, 21];

/** Path of a version with `max_prepared_statements`; null if there is none. */
export function pgbouncer(): string | null {
  const own = join(toolsDir(), 'bin', PACKAGE);
  const found = [executable(own) ? own : null, find(PACKAGE, ['/usr/sbin'])];
  return found.find((path) => path !== null && isRecent(path)) ?? null;
}

function isRecent(path: string): boolean {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > MIN_MAJOR || (Number(major) === MIN_MAJOR && Number(minor) >= MIN_MINOR);
}

/** Compiles it, without TLS; an interrupted build leaves nothing. Needs gcc, make, pkg-config and libevent's headers. */
export async function installPgbouncer(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-pgbouncer-'));
  const made = (...names: string[]): string => {
    const path = join(folder, ...names);
    mkdirSync(path, { recursive: true });
    return path;
  };
  try {
    await step('PgBouncer from sources of Debian 13 (half a minute, once)', async () => {
      const list = join(folder, 'sources.list');
      writeFileSync(list, 'deb-src http://deb.debian.org/debian trixie main\n');
      made('lists', 'partial');
      made('cache', 'archives', 'partial');
      const places = {
        'Dir::Etc::sourcelist': list,
        'Dir::Etc::sourceparts': '-',
        'Dir::State::lists': join(folder, 'lists'),
        'Dir::Cache': join(folder, 'cache'),
      };
      const options = Object.entries(places).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
      const cwd = made('package');
      await run('apt-get', [...options, 'update', '-q']);
      await run('apt-get', [...options, 'source', '--download-only', PACKAGE], { cwd });
      const archive = readdirSync(cwd).find((name) => name.endsWith('.orig.tar.gz')) ?? '';
      const source = made('source');
      await run('tar', ['-xzf', join(cwd, archive), '--strip-components=1', '-C', source]);
      await run('./configure', ['--without-openssl', '--without-cares'], { cwd: source });
      await run('make', [PACKAGE], { cwd: source });
      const bin = join(toolsDir(), 'bin');
      mkdirSync(bin, { recursive: true });
      await run('cp', [join(source, PACKAGE), join(bin, `${PACKAGE}.part-${process.pid}`)]);
      renameSync(join(bin, `${PACKAGE}.part-${process.pid}`), join(bin, PACKAGE));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
