/** The embedded engines: pocketsphinx transcribes speech, apertium translates, tesseract recognises text in frames. */
import { existsSync } from 'node:fs';
import { find } from '../servers/command.ts';
import { installPythonPackage, pythonProgram, type PythonPackage } from './python.ts';

/** The newest on PyPI; its English model is inside the wheel. */
const POCKETSPHINX: PythonPackage = { folder: 'speech', name: 'pocketsphinx', version: '5.1.1' };

/** Every language pair with English in Debian's packages, with regional forms; see captions' README. */
export const APERTIUM_PACKAGES = [
  'apertium',
  'apertium-eng-spa',
  'apertium-eng-cat',
  'apertium-en-gl',
  'apertium-eo-en',
  'apertium-es-pt',
  'apertium-spa-ast',
  'apertium-spa-arg',
  'apertium-fra-cat',
  'apertium-cat-ita',
  'apertium-oc-ca',
  'apertium-cat-srd',
  'apertium-fra-frp',
  'apertium-oci-fra',
];

/** One mode of every package: if these files exist, every pair is installed. */
const MODES = [
  'eng-spa',
  'eng-cat',
  'en-gl',
  'en-eo',
  'es-pt',
  'spa-ast',
  'spa-arg',
  'cat-fra',
  'cat-ita',
  'ca-oc',
  'cat-srd',
  'fra-frp',
  'fra-oci_gascon',
];
const MODES_FOLDER = '/usr/share/apertium/modes';

/** Path of a Python that has pocketsphinx; null if it is not installed. */
export function speechPython(): string | null {
  return pythonProgram(POCKETSPHINX, 'python');
}

/** Installs pocketsphinx into a virtual environment of the tools folder. */
export async function installSpeech(): Promise<void> {
  return await installPythonPackage(POCKETSPHINX);
}

/** Whether apertium and every pair are installed. */
export function translationIsInstalled(): boolean {
  return apertium() !== null && MODES.every((mode) => existsSync(`${MODES_FOLDER}/${mode}.mode`));
}

/** Path of apertium; null if there is none. */
export function apertium(): string | null {
  return find('apertium');
}

/** Path of tesseract; null if there is none. */
export function tesseract(): string | null {
  return find('tesseract');
}
