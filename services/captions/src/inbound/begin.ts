/** The beginning of a title: its tracks are listed, and its first unit is written down, with the stage that opens. */
import type { PoolClient } from '@vds/chassis/database/database';
import type { StageRequest } from '@vds/chassis/stage/stages';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { askAgain, openTitle, planFor, type TitleRequest } from '../domain/title.ts';
import { sayTracks } from '../outbound/says.ts';
import { readTitle, saveTitle } from '../outbound/titles.ts';
import { enqueueListen } from '../outbound/units.ts';

/** What listening finds out is left open here: a transaction waits for no engine. */
const nothingKnown = { speechLanguages: undefined, routes: undefined };

export function beginTitle(targets: readonly string[]) {
  return async (client: PoolClient, asked: StageRequest<TitleRequest>): Promise<void> => {
    const { groupKey: videoId, attempt, revision: stageRevision, tenant: publisherId, request } = asked;
    const before = await readTitle(client, { videoId, attempt }, true);
    const title = before
      ? askAgain(before, { ...request, stageRevision })
      : openTitle(
          { ...request, videoId, attempt, publisherId, stageRevision },
          planFor(request, targets, nothingKnown),
        );
    await saveTitle(client, title);
    if (title.state.revision !== before?.state.revision) await addToOutbox(client, [sayTracks(title)]);
    await enqueueListen(client, title, title.round);
  };
}
