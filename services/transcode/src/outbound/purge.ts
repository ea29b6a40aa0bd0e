/** What a purge removes: the media bucket's objects of a video, and the rows behind them. */
import type { Objects } from '@vds/chassis/objects/objects';
import type { Purge, PurgeDefinition } from '@vds/chassis/stage/purge';
import { events } from '@vds/proto/events';

export function purgeOf(objects: Objects): PurgeDefinition {
  return {
    event: events.transcodeVideoPurged,
    objects,
    alsoRemoves: sourceCopies,
    tables: ['plans', 'job_results', 'ladders'],
  };
}

/** Copies of the source's bytes, which lie only in the folders of `cut`; those of attempts after the request stay. */
export function sourceCopies({ scope, upTo }: Purge) {
  return (key: string, attempt: number): boolean =>
    scope === 'PURGE_SCOPE_SOURCE' && attempt <= upTo && key.split('/')[3]?.startsWith('cut.') === true;
}
