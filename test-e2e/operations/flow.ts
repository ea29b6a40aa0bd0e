/** Videos that are submitted one after the other while something happens, and what became of each. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@vds/shared/testing/until';
import type { Target } from '../target/host.ts';
import { bare } from '../target/apps.ts';
import type { Partner, VideoRecord } from '../target/partner.ts';

export type Flow = {
  /** Ids so far, oldest first. */
  readonly ids: readonly string[];
  /** Submits no more and waits for the end of each. */
  readonly end: (capMs: number) => Promise<readonly VideoRecord[]>;
};

/**
 * Begins to submit a video at a steady pace, as a patient partner does: a 500 is asked again.
 * @param file what is submitted
 */
export const beginFlow = async (target: Target, partner: Partner, file: string, everyMs: number): Promise<Flow> => {
  await copyFile(file, join(target.media, basename(file)));
  const ids: string[] = [];
  let ended = false;
  const running = (async () => {
    while (!ended) {
      ids.push(await partner.submit(target.origin.url(`/${basename(file)}`), { title: `Upheaval ${ids.length}` }));
      await sleep(everyMs);
    }
  })();
  return {
    ids,
    end: async (capMs) => {
      ended = true;
      await running;
      const records: VideoRecord[] = [];
      for (const id of ids) records.push(await partner.settled(id, capMs));
      return records;
    },
  };
};

/** How often a piece of a video was begun beyond once, over all pieces. */
export const repeatedPieces = async ({ site }: Target, ids: readonly string[]): Promise<readonly number[]> => {
  const sql = `SELECT sum(fence - 1)::int AS repeats FROM chassis.work
    WHERE group_key = ANY($1) AND fence > 0 GROUP BY group_key`;
  const ask = () => site.adminPool('transcode').query<{ repeats: number }>(sql, [ids.map(bare)]);
  // A connection from before a restart of Postgres is noticed by its first use.
  const { rows } = await until(ask, { capMs: 60_000, what: 'the work tables' });
  return rows.map(({ repeats }) => repeats);
};
