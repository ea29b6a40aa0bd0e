/**
 * This machine's access to the registries of npm, Debian and Python: files mounted during a build whose network is
 * behind a proxy or a mirror. They are mounted for the one step that needs them; no image contains them.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Id → file, for those that exist. */
export function hostConfig(environment: Environment): Record<string, string> {
  const home = homedir();
  const files = {
    npmrc: firstExisting(environment['NPM_CONFIG_USERCONFIG'], join(home, '.npmrc')),
    ca: firstExisting(
      environment['NODE_EXTRA_CA_CERTS'],
      environment['SSL_CERT_FILE'],
      '/etc/ssl/certs/ca-certificates.crt',
    ),
    pip: firstExisting(
      environment['PIP_CONFIG_FILE'],
      join(home, '.config/pip/pip.conf'),
      join(home, '.pip/pip.conf'),
      '/etc/pip.conf',
    ),
    'apt-conf': gathered('/etc/apt/apt.conf.d', /^\s*Acquire::(?!GzipIndexes|Languages)/m, 'apt.conf'),
    'apt-sources': aptSources(),
  };
  return Object.fromEntries(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function firstExisting(...paths: (string | undefined)[]): string | undefined {
  return paths.find((path) => path !== undefined && existsSync(path));
}

/** The network-related files of a settings folder, concatenated; undefined if there are none. */
function gathered(folder: string, about: RegExp, name: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const texts = readdirSync(folder)
    .filter((file) => /^\d*[\w.-]+$/.test(file) && !/\.(disabled|bak|save|dpkg-\w+)/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .filter((text) => about.test(text));
  if (texts.length === 0) return undefined;
  const path = join(temporaryFolder('vds-build-'), name);
  writeFileSync(path, texts.join('\n'), { mode: 0o600 });
  return path;
}

/** One-line sources of another mirror, if this machine runs the base image's Debian release. */
function aptSources(): string | undefined {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const own = '/etc/apt/sources.list';
  if (!release.includes('trixie') || !existsSync(own)) return undefined;
  return /^deb /m.test(readFileSync(own, 'utf8')) ? own : undefined;
}
