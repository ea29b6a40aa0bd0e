/** Three processes of catalog, a fourth door of events in the test itself, and what lies in their one database. */
import { openPool, type Pool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { openPrisma } from '../../src/outbound/prisma.ts';
import { loadSnapshot, type Loaded } from '../../src/outbound/snapshots.ts';
import { openVideoStore } from '../../src/outbound/video-store.ts';
import { startHarness } from '../harness.ts';
import { submission } from '../partner.ts';
import { around } from '../support.ts';

/** Nothing comes of itself: each round of the clock is a step, and nothing is said again. */
const still = { CLOCK_TICK: '1h', REMIND_FIRST: '1h', REMIND_EVERY: '1h', DELETE_GRACE: '30s', GATE_GRACE: '300s' };
const budgetId = 'storm';

type Read = {
  readonly ledger: string[] | null;
  readonly audit: string[] | null;
  readonly clips: string[] | null;
  readonly open: number;
};
export type Hall = Awaited<ReturnType<typeof openHall>>;

export async function openHall() {
  const house = await startHarness(still, 3);
  const { url: databaseUrl, password: databasePassword } = house.database;
  const quiet = createLogger('test', 'error');
  const pool = openPool({ databaseUrl, databasePassword, databasePoolSize: 8 }, 'catalog', quiet);
  const prisma = openPrisma(pool);
  const times = { ...around(new Date()), remindFirstMs: 3_600_000 };
  const { change } = openVideoStore({ pool, prisma, times, wake: () => {}, observe: () => {} });
  const endpoints = house.processes.map((one) => ({ partner: one.as('gateway'), staff: one.staffAs('vdsctl') }));
  const door = (n: number) => {
    const found = endpoints[n];
    if (!found) throw new Error(`there is no door ${n}`);
    return found;
  };
  const load = async (id: string): Promise<Loaded> => {
    const loaded = await loadSnapshot(pool, id, undefined);
    if (!loaded) throw new Error(`video ${id} is gone`);
    return loaded;
  };

  return {
    house,
    load,
    /** A new video. */
    create: async (at: number): Promise<string> => {
      const video = submission({ budgetId, dailyLimit: 1_000_000, publisherId: `publisher-${at}` });
      await door(at % 3).partner.CreateVideo(video);
      return video.id;
    },
    /** Speaks to replica `n` as a partner's gateway or as staff. */
    door,
    /** The door of events, and the clock's, in the test's own process. */
    change,
    /** Rows beside the video's own. */
    books: (id: string) => readBooks(pool, id),
    /** Videos, what their budgets were charged, and how many changes there were. */
    totals: () => readTotals(pool),
    close: async (): Promise<void> => {
      await prisma.close();
      await pool.close();
      await house.close();
    },
  };
}

async function readBooks(pool: Pool, id: string) {
  const { rows } = await pool.query<Read>(
    `SELECT (SELECT array_agg(owner || ' ' || scope || ' ' || keep_attempt) FROM purges WHERE video_id = v.id) AS ledger,
      (SELECT array_agg(concat_ws(' | ', actor, action, was, became, reason) ORDER BY id) FROM audit
        WHERE video_id = v.id) AS audit,
      (SELECT array_agg(publisher_id || ' ' || playback_id) FROM clips WHERE video_id = v.id) AS clips,
      (SELECT count(*)::int FROM stages s WHERE s.video_id = v.id AND s.attempt < v.attempt
        AND state IN ('requested', 'started')) AS open
    FROM videos v WHERE id = $1`,
    [id],
  );
  const [found] = rows;
  const { ledger, audit, clips } = found ?? {};
  return { ledger: ledger ?? [], audit: audit ?? [], clips: clips ?? [], open: found?.open ?? 0 };
}

async function readTotals(pool: Pool) {
  const { rows } = await pool.query<{ videos: number; charged: number; versions: number }>(
    `SELECT (SELECT count(*) FROM videos)::int AS videos, (SELECT sum(used) FROM daily_counts)::int AS charged,
      (SELECT sum(version - 1) FROM videos)::int AS versions`,
  );
  return rows[0] ?? { videos: 0, charged: 0, versions: 0 };
}
