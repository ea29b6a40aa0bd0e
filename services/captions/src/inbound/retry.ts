/** The operator's verb that makes tracks anew, whatever state the video is in meanwhile. */
import { withTransaction } from '@vds/chassis/database/database';
import { AppError, notFound } from '@vds/chassis/errors';
import { isTombstoned, lockGroup } from '@vds/chassis/stage/tombstones';
import { planFor, reopenJob, type CaptionJob } from '../domain/caption-job.ts';
import { lockLatest } from '../outbound/titles.ts';
import { enqueueListening, enqueueTranslations } from '../outbound/units.ts';
import { writeChange } from './change-title.ts';
import type { Deps } from './deps.ts';

export type RetryOrder = {
  readonly videoId: string;
  /** Empty: every track that failed or was skipped. */
  readonly languages: readonly string[];
  readonly actor: string;
  readonly reason: string;
};

/** Who asks waits for an answer, not for an engine. */
const patienceMs = 4_000;

/**
 * @throws AppError NOT_FOUND where captions keeps nothing of the video, FAILED_PRECONDITION where there is nothing that a
 * retry could make
 */
export function retryTracks(place: Deps) {
  return async ({ videoId, languages, actor, reason }: RetryOrder): Promise<void> => {
    const known = await place.coverage.known(true, patienceMs);
    await withTransaction(place.pool, async (client) => {
      await lockGroup(client, videoId);
      const title = (await isTombstoned(client, videoId)) ? undefined : await lockLatest(client, videoId);
      if (!title) throw notFound(`a caption track of ${videoId}`);
      check(title, languages);
      const stage = await place.stages.read(client, { groupKey: videoId, attempt: title.attempt });
      if (stage?.state === 'cancelled')
        throw new AppError('FAILED_PRECONDITION', 'the video is being deleted: nothing is made for it any more');
      const { title: after, hear, translate } = reopenJob(title, planFor(title, place.targets, known), languages);
      if (after !== title) await writeChange(place, client, title, after);
      if (hear) await enqueueListening(client, after, after.round);
      await enqueueTranslations(client, after, after.round, translate);
      const facts = { video_id: videoId, round: after.round, hear, translate, actor, reason };
      place.log.info(facts, 'tracks are made anew at the operator’s word');
    });
    place.wake();
  };
}

function check(title: CaptionJob, languages: readonly string[]): void {
  const listed = title.state.tracks.map(({ language }) => language);
  const strange = languages.filter((language) => !listed.includes(language));
  if (strange.length > 0)
    throw new AppError(
      'FAILED_PRECONDITION',
      `the video has no track '${strange.join("', '")}'; its tracks are ${listed.join(' ')}`,
    );
  if (!title.hasAudio) throw new AppError('FAILED_PRECONDITION', 'the video has no sound: there is nothing to caption');
}
