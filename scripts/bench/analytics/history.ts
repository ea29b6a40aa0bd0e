/** A month of events in files: how many files are left of a day once they are merged, and how long each view takes. */
import { tmpdir } from 'node:os';
import { openObjects } from '@vds/chassis/objects/objects';
import { createLogger } from '@vds/chassis/telemetry/log';
import { openTestPool, testDatabase } from '@vds/testkit/harness/database';
import { testBucket } from '@vds/testkit/harness/objects';
import { step } from '@vds/testkit/servers/progress';
import type { EventRow } from '@vds/analytics/domain/event-row';
import { viewNames } from '@vds/analytics/domain/warehouse/views';
import { openFilesStore } from '@vds/analytics/outbound/files-store';
import { dayOf } from '@vds/analytics/domain/object-keys';
import { ANY_DAY, row, titled } from '@vds/analytics/test/rows';

/** VDS_BENCH_EVENTS: how many, for a shorter run. */
const EVENTS = Number(process.env['VDS_BENCH_EVENTS'] ?? 1_000_000);
const EVENTS_PER_VIEW = 20;
const DAYS = 30;
const BATCHES_A_DAY = 48;
const VIDEOS = 200;
const VIEWERS = 9_000;
const COUNTRIES = ['DE', 'US', 'FR', 'BR', 'JP', 'IN', 'ES', 'IT'];
const DAY_MS = 86_400_000;
const MIB = 2 ** 20;

export async function benchHistory(): Promise<readonly string[]> {
  const [database, bucket] = await Promise.all([
    testDatabase(new URL('../../../services/analytics/', import.meta.url)),
    testBucket(),
  ]);
  const pool = openTestPool(database.poolConfig);
  const objects = openObjects(
    {
      ...{ s3Endpoint: bucket.endpoint, s3Region: bucket.region },
      ...{ s3AccessKey: bucket.accessKey, s3SecretKey: bucket.secretKey },
    },
    bucket.bucket,
  );
  const log = createLogger('bench', 'silent');
  const store = openFilesStore({
    ...{ pool, objects, log, scratchDir: tmpdir(), memoryBytes: 256 * MIB },
    ...{ keepMs: 800 * DAY_MS, replacedKeepMs: 0 },
  });
  try {
    await step(`${EVENTS} events`, () => fill(store.put));
    await store.name(Array.from({ length: VIDEOS }, (_video, n) => titled(`video-${n}`, { title: `Match ${n}` })));
    const before = (await objects.list('organization=')).length;
    const began = performance.now();
    await step('merges', () => store.compact(new AbortController().signal));
    const merged = performance.now() - began;
    // The next one removes what was replaced.
    await store.compact(new AbortController().signal);
    const files = await objects.listDetails('organization=');
    const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
    const lines = [
      `history: ${EVENTS} events of ${DAYS} days; files a day ${before / DAYS} → ${files.length / DAYS} in ${(merged / 1_000).toFixed(1)} s, ${(bytes / MIB).toFixed(1)} MiB`,
    ];
    const week = { from: dayOf(new Date(Date.now() - 8 * DAY_MS)), to: '' };
    for (const view of viewNames) {
      const from = performance.now();
      const [found] = (await store.query('org_a', `SELECT count(*) AS n FROM (SELECT * FROM ${view}) AS v`, ANY_DAY))
        .rows;
      const aggregated = await store.query('org_a', `SELECT * FROM ${view} LIMIT 1000`, ANY_DAY);
      const seconds = (performance.now() - from) / 2_000;
      const weekFrom = performance.now();
      await store.query('org_a', `SELECT * FROM ${view} LIMIT 1000`, week);
      const ofWeek = (performance.now() - weekFrom) / 1_000;
      lines.push(
        `  ${view.padEnd(10)} ${seconds.toFixed(2)} s, of a week ${ofWeek.toFixed(2)} s  ${String(found?.['n'])} rows, ${aggregated.rows.length} read`,
      );
    }
    return lines;
  } finally {
    await pool.end();
    await Promise.all([database.drop(), bucket.drop()]);
  }
}

async function fill(put: ReturnType<typeof openFilesStore>['put']): Promise<void> {
  const perBatch = EVENTS / DAYS / BATCHES_A_DAY;
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  let made = 0;
  for (let batch = 0; batch < DAYS * BATCHES_A_DAY; batch += 1) {
    const at = today - (DAYS + 1) * DAY_MS + Math.floor((batch * DAY_MS) / BATCHES_A_DAY);
    const rows: EventRow[] = [];
    for (const end = Math.round((batch + 1) * perBatch); made < end; made += 1) rows.push(eventOf(made, at));
    await put(rows);
  }
}

function eventOf(n: number, at: number): EventRow {
  const view = Math.floor(n / EVENTS_PER_VIEW);
  const step = n % EVENTS_PER_VIEW;
  const video = (view * 7_919) % VIDEOS;
  return row({
    ...{ eventId: `v-${view}-${step}`, viewId: `v-${view}`, videoId: `video-${video}`, playbackId: `pb-${video}` },
    ...{ viewer: `viewer-${(view * 31) % VIEWERS}`, country: COUNTRIES[view % COUNTRIES.length] ?? '' },
    ...{ occurredAtMs: at + step * 1_000, receivedAtMs: at + step * 1_000 + (n % 977) },
    ...{
      positionMs: step * 3_000,
      watchedMs: step * 3_000,
      seen: 2 ** (step + 1) - 1,
      startupMs: 300 + (view % 900),
    },
    ...{ stalls: view % 5 === 0 ? 1 : 0, stalledMs: view % 5 === 0 ? 700 : 0, bitrateKbps: 1_000 + (n % 4_000) },
    ...{ fatal: view % 80 === 0 && step === 19, errorCode: view % 80 === 0 && step === 19 ? 'fragLoadError' : '' },
  });
}
