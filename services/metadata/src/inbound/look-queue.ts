/** The door through which looks come: one span of a title's pictures and sound. */
import { withScratch } from '@vds/shared/scratch';
import { stageOfUnit, type Asked } from '@vds/shared/stages';
import { enqueue, type Job, type Queue } from '@vds/shared/work';
import { lockGroup } from '@vds/shared/purge';
import type { Found } from '../domain/found.ts';
import { smallestRung } from '../domain/ladder.ts';
import type { Request } from '../domain/request.ts';
import { spanAt, spanCount, type Span } from '../domain/span.ts';
import { lookAtPicture, type Desk } from '../outbound/look-at-picture.ts';
import { saveFound } from '../outbound/looks.ts';
import { fetchLadder, fetchPlaylist } from '../outbound/renditions.ts';
import { failStage } from './failing.ts';
import { missingSpans, writeUnit, type LookPayload } from './units.ts';
import type { Workplace } from './workplace.ts';

/** Far beyond any real look: it ends what hangs, the stage's own deadline is its conductor's. */
const timeoutMs = 900_000;

const look = async ({ media, meters }: Workplace, desk: Desk, asked: Asked<Request>, span: Span): Promise<Found> => {
  const ladder = await fetchLadder(media, asked.request.ladderKey);
  const smallest = await fetchPlaylist(media, asked, smallestRung(ladder).playlist);
  const { shots, stretches, samples } = await meters.timed('picture', () => lookAtPicture(desk, smallest, span));
  meters.pictures('sample', samples.length);
  return { version: 1, span, shots, stretches, texts: [], read: false, seconds: [] };
};

const perform = async (workplace: Workplace, job: Job): Promise<void> => {
  const { stages, scratchDir, tools, media } = workplace;
  const key = stageOfUnit(job);
  const asked = await stages.enter(key);
  if (!asked) return job.complete();
  const { span } = job.payload as LookPayload;
  const { durationMs } = asked.request;
  const found = await withScratch(scratchDir, 'metadata', (scratch) =>
    look(workplace, { scratch, signal: job.signal, timeoutMs, tools, media }, asked, spanAt(durationMs, span)),
  );
  let left = 0;
  await job.complete(async (client) => {
    // One at a time, or two last looks would each see the other one missing.
    await lockGroup(client, key.groupKey);
    await saveFound(client, key, span, found);
    left = (await missingSpans(client, key, durationMs)).length;
    if (left === 0) await enqueue(client, [writeUnit(asked)]);
  });
  await stages.progress(key, 95 * (1 - left / spanCount(durationMs)));
};

export const lookQueue = (workplace: Workplace, slots: number): Queue => ({
  slots,
  run: (job) => perform(workplace, job),
  failed: (client, job, error) => failStage(workplace, client, job, error),
});
