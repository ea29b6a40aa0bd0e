/** The beginning of a title: its tracks are listed, and its first unit is written down, with the stage that opens. */
import type { PoolClient } from '@vds/chassis/database/database';
import type { StageRequest } from '@vds/chassis/stage/stages';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { requestAgain, openJob, planFor, type CaptionRequest } from '../domain/caption-job.ts';
import { publishTracks } from '../outbound/publisher.ts';
import { readTitle, saveTitle } from '../outbound/titles.ts';
import { enqueueListening } from '../outbound/units.ts';

/** What listening finds out is left open here: a transaction waits for no engine. */
const nothingKnown = { speechLanguages: undefined, routes: undefined };

export function beginTitle(targets: readonly string[]) {
  return async (client: PoolClient, asked: StageRequest<CaptionRequest>): Promise<void> => {
    const { groupKey: videoId, attempt, revision: stageRevision, tenant: publisherId, request } = asked;
    const before = await readTitle(client, { videoId, attempt }, true);
    const title = before
      ? requestAgain(before, { ...request, stageRevision })
      : openJob({ ...request, videoId, attempt, publisherId, stageRevision }, planFor(request, targets, nothingKnown));
    await saveTitle(client, title);
    if (title.state.revision !== before?.state.revision) await addToOutbox(client, [publishTracks(title)]);
    await enqueueListening(client, title, title.round);
  };
}
