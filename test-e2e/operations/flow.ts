/** Videos that are submitted one after the other during an operation, and their outcomes. */
import { until } from '@vds/testkit/until';
import type { Target } from '../harness/host/host.ts';
import { bare } from '../harness/apps-client.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { beginLoad, type Tally } from './load.ts';

export type Flow = {
  /** Ids of the videos that were accepted so far, oldest first. */
  readonly ids: readonly string[];
  /** Outcomes of the requests since the last call. */
  readonly tally: () => Tally;
  /** Stops submitting and waits for the end of each. */
  readonly end: (capMs: number) => Promise<readonly VideoRecord[]>;
};

/**
 * Starts submitting a video at a steady pace; a failed request is counted and not retried.
 * @param file the submitted file
 */
export async function beginFlow(target: Target, partner: Partner, file: string, everyMs: number): Promise<Flow> {
  const sourceUrl = await target.serve(file);
  const ids: string[] = [];
  const submit = async (): Promise<number> => {
    const video = { source_url: sourceUrl, title: `Disruptions ${ids.length}` };
    const { status, body } = await partner.call<{ id: string }>('POST', '/v1/videos', video);
    if (status === 202) ids.push(body.id);
    return status;
  };
  const load = beginLoad(1_000 / everyMs, [{ what: 'POST', expected: 202, send: submit }]);
  return {
    ids,
    tally: load.tally,
    end: async (capMs) => {
      await load.end();
      const records: VideoRecord[] = [];
      for (const id of ids) records.push(await partner.settled(id, capMs));
      return records;
    },
  };
}

/**
 * How often transcode's jobs were restarted, as the maximum of any video: over all of its pieces, and for one job. A
 * stopping pod interrupts all jobs in its slots, so the audio may be encoded again besides a piece.
 */
export async function mostRepeats({ site }: Target, ids: readonly string[]) {
  const sql = `SELECT max(pieces)::int AS pieces, max(job)::int AS job FROM (
      SELECT sum(fence - 1) FILTER (WHERE name LIKE 'piece-%') AS pieces, max(fence - 1) AS job FROM chassis.jobs
      WHERE video_id = ANY($1) AND fence > 0 GROUP BY video_id) AS videos`;
  const countRepeats = () => site.adminPool('transcode').query<{ pieces: number; job: number }>(sql, [ids.map(bare)]);
  // A connection from before a restart of Postgres only fails on its first use.
  const { rows } = await until(countRepeats, { capMs: 60_000, what: 'the work tables' });
  return rows[0];
}
