/** The door through which the last unit of a stage comes: all that was found becomes the document of a revision. */
import { stageOfUnit } from '@vds/shared/stages';
import type { Job, Queue } from '@vds/shared/work';
import { writeDocument } from '../domain/document.ts';
import { readFound, saveDocument } from '../outbound/looks.ts';
import { failStage } from './failing.ts';
import type { Workplace } from './workplace.ts';

const perform = async (workplace: Workplace, job: Job): Promise<void> => {
  const { stages, pool, meters } = workplace;
  const key = stageOfUnit(job);
  const asked = await stages.enter(key);
  if (!asked) return job.complete();
  const document = await meters.timed('document', async () =>
    writeDocument({ durationMs: asked.request.durationMs, found: await readFound(pool, key) }),
  );
  await job.complete(async (client) => {
    if (await stages.complete(client, key, {})) await saveDocument(client, key, document);
  });
};

export const writeQueue = (workplace: Workplace, slots: number): Queue => ({
  slots,
  run: (job) => perform(workplace, job),
  failed: (client, job, error) => failStage(workplace, client, job, error),
});
