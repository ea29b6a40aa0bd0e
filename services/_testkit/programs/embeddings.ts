/** The embedded engine for vectors of texts: its model, and its program (embed.c of the chassis), compiled beside it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { E5_SMALL } from '@vds/deploy-tools/models/models';
import { run } from '../servers/command.ts';
import { step } from '../servers/progress.ts';
import { hasModel, installModel, modelFolder } from './models.ts';

const SOURCES = ['compile.sh', 'embed.c'].map((name) =>
  fileURLToPath(new URL(`../../_chassis/src/embeddings/${name}`, import.meta.url)),
);
/** Says which sources the program is of. */
const STAMP = 'vds-embed.sha256';

/** Folder of the engine; null if it has to be installed first. */
export function embeddingsFolder(): string | null {
  const folder = modelFolder(E5_SMALL);
  const stamp = join(folder, STAMP);
  const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources();
  return hasModel(E5_SMALL) && isCurrent ? folder : null;
}

/** Fetches the model and compiles the program; an interrupted run leaves no program. */
export async function installEmbeddings(): Promise<void> {
  if (!hasModel(E5_SMALL)) await installModel(E5_SMALL);
  const folder = modelFolder(E5_SMALL);
  const part = join(folder, `vds-embed.part-${process.pid}`);
  await step('gcc vds-embed', () => run('sh', [SOURCES[0] ?? '', folder, part]));
  renameSync(part, join(folder, 'vds-embed'));
  writeFileSync(join(folder, STAMP), hashOfSources());
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES) hash.update(readFileSync(path));
  return hash.digest('hex');
}
