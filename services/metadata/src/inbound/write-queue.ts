/** The door through which the last unit of a stage comes: all that was found becomes the document of a revision. */
import { stageOfUnit } from '@vds/shared/stages';
import type { Job, Queue } from '@vds/shared/work';
import { writeDocument } from '../domain/document.ts';
import { readTranscript, type Transcript } from '../domain/transcript.ts';
import { readFound, saveDocument } from '../outbound/looks.ts';
import { readJson } from '../outbound/renditions.ts';
import { stopWordsOf } from '../outbound/stop-words.ts';
import { failStage } from './failing.ts';
import type { Workplace } from './workplace.ts';

/** The transcript; undefined while there is none. */
const readTranscriptAt = async ({ captions }: Workplace, key: string): Promise<Transcript | undefined> =>
  key === '' ? undefined : readTranscript(await readJson(captions, key));

const perform = async (workplace: Workplace, job: Job): Promise<void> => {
  const { stages, pool, meters, describe } = workplace;
  const key = stageOfUnit(job);
  const asked = await stages.enter(key);
  if (!asked) return job.complete();
  const { durationMs, transcriptKey } = asked.request;
  const document = await meters.timed('document', async () => {
    const [found, description, transcript] = await Promise.all([
      readFound(pool, key),
      describe(key.groupKey),
      readTranscriptAt(workplace, transcriptKey),
    ]);
    const stopWords = stopWordsOf(transcript?.language ?? description.language);
    return writeDocument({ durationMs, found, description, transcript, stopWords });
  });
  await job.complete(async (client) => {
    if (await stages.complete(client, key, {})) await saveDocument(client, key, document);
  });
};

export const writeQueue = (workplace: Workplace, slots: number): Queue => ({
  slots,
  run: (job) => perform(workplace, job),
  failed: (client, job, error) => failStage(workplace, client, job, error),
});
