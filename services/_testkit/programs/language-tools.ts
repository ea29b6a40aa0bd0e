/** The embedded engines: Whisper transcribes speech, apertium translates, tesseract recognises text in frames. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WHISPER_BASE } from '@vds/deploy-tools/models/models';
import { find } from '../servers/command.ts';
import { hasModel, installModel, modelFolder } from './models.ts';
import { installPythonPackage, pythonProgram, type PythonPackage } from './python.ts';

/** Whisper on CTranslate2, the same wheels as in the image. */
const FASTER_WHISPER: PythonPackage = {
  folder: 'whisper',
  name: 'faster-whisper',
  version: '1.2.1',
  requirements: fileURLToPath(new URL('../../../deploy/speech-requirements.txt', import.meta.url)),
};

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

/** Path of a Python that has faster-whisper; null if it is not installed. */
export function speechPython(): string | null {
  return pythonProgram(FASTER_WHISPER, 'python');
}

/** Folder of the speech model; null if it is not installed. */
export function speechModel(): string | null {
  return hasModel(WHISPER_BASE) ? modelFolder(WHISPER_BASE) : null;
}

/** Installs faster-whisper into a virtual environment of the tools folder; independent of the model. */
export async function installSpeech(): Promise<void> {
  return await installPythonPackage(FASTER_WHISPER);
}

/** Fetches the speech model into the tools folder. */
export async function installSpeechModel(): Promise<void> {
  await installModel(WHISPER_BASE);
}

/** Whether apertium and every pair are installed. */
export function translationIsInstalled(): boolean {
  return apertium() !== null && MODES.every((mode) => existsSync(`${MODES_FOLDER}/${mode}.mode`));
}

/** Path of apertium; null if there is none. */
function apertium(): string | null {
  return find('apertium');
}

/** The engines of captions that are installed. */
export function installedEngines() {
  return { speechPython: speechPython(), speechModel: speechModel(), apertium: apertium() };
}

/** Path of tesseract; null if there is none. */
export function tesseract(): string | null {
  return find('tesseract');
}
