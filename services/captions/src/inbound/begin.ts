/** The beginning of a title: its tracks are listed, and its first unit is written down, with the stage that opens. */
import type { PoolClient } from '@vds/shared/database';
import type { Asked } from '@vds/shared/stages';
import { addToOutbox } from '@vds/shared/outbox';
import { openTitle, planFor, reopenTitle, spokenLanguage, type Title, type TitleRequest } from '../domain/title.ts';
import { sayTracks } from '../outbound/says.ts';
import { readTitle, saveTitle } from '../outbound/titles.ts';
import { enqueueListen } from '../outbound/units.ts';

/** What listening finds out is left open here: a transaction waits for no engine. */
const nothingKnown = { speechLanguages: undefined, routes: undefined };

/** A title that is asked for once more is heard anew; what is ready stays so until it is replaced. */
const again = (before: Title, asked: Asked<TitleRequest>, targets: readonly string[]): Title => {
  const title = { ...before, ...asked.request, stageRevision: asked.revision, round: before.round + 1, making: {} };
  const planned = planFor(title, targets, nothingKnown);
  return reopenTitle(title, planned, [spokenLanguage(title)]).title;
};

export const beginTitle =
  (targets: readonly string[]) =>
  async (client: PoolClient, asked: Asked<TitleRequest>): Promise<void> => {
    const { groupKey: videoId, attempt, revision: stageRevision, tenant: publisherId, request } = asked;
    const before = await readTitle(client, { videoId, attempt }, true);
    const title = before
      ? again(before, asked, targets)
      : openTitle(
          { ...request, videoId, attempt, publisherId, stageRevision },
          planFor(request, targets, nothingKnown),
        );
    await saveTitle(client, title);
    if (title.state.revision !== before?.state.revision) await addToOutbox(client, [sayTracks(title)]);
    await enqueueListen(client, title, title.round);
  };
