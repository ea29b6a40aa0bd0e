import { expect } from 'chai';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AppError } from '@vds/chassis/errors';
import { openObjects } from '@vds/chassis/objects/objects';
import { createLogger } from '@vds/chassis/telemetry/log';
import { openTestPool, testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { columns, type EventRow } from '../src/domain/event-row.ts';
import { watchedTogether } from '../src/domain/warehouse/behaviour.ts';
import { computeOver } from '../src/outbound/duck-db.ts';
import { openFilesStore } from '../src/outbound/files-store.ts';
import type { EventStore } from '../src/outbound/store.ts';
import { writeParquet } from '../src/outbound/write-parquet.ts';
import { checkBehaviour } from './behaviour-of.ts';
import { checkHistory } from './history-of.ts';
import { checkPlays } from './plays-of.ts';
import { ANY_DAY, NOW, row, titled } from './rows.ts';

const MINUTE = 60_000;

describe('events as files', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let pool: ReturnType<typeof openTestPool>;
  let bucket: TestBucket;
  let store: EventStore;
  let options: Parameters<typeof openFilesStore>[0];
  let objects: ReturnType<typeof openObjects>;
  beforeEach(async () => {
    database = await testDatabase(new URL('..', import.meta.url));
    pool = openTestPool(database.poolConfig);
    bucket = await testBucket();
    const { endpoint: s3Endpoint, region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey } = bucket;
    objects = openObjects({ s3Endpoint, s3Region, s3AccessKey, s3SecretKey }, bucket.bucket);
    options = {
      ...{ pool, objects, log: createLogger('test', 'error'), scratchDir: tmpdir() },
      ...{ memoryBytes: 2 ** 28, keepMs: 3_650 * 86_400_000, replacedKeepMs: 0 },
    };
    store = openFilesStore(options);
  });
  afterEach(async () => {
    await pool.end();
    await Promise.all([database.drop(), bucket.drop()]);
  });

  const put = (rows: readonly EventRow[]): Promise<void> => store.put(rows);
  const query = async (sql: string, organizationId = 'org_a') => (await store.query(organizationId, sql, ANY_DAY)).rows;
  const failure = (sql: string): Promise<AppError> =>
    store.query('org_a', sql, ANY_DAY).then(
      () => expect.fail('it was answered'),
      (error: AppError) => error,
    );
  /** One view of a video of a minute: 30 s watched, one stall of 2 s, seen to the middle, then a fatal error. */
  const view = (viewId: string, viewer: string, more: Parameters<typeof row>[0] = {}): EventRow[] => [
    row({ ...{ viewId, viewer, eventId: `${viewId}-1`, startupMs: 400, watchedMs: 10_000, seen: 0b1111 }, ...more }),
    row({
      ...{ viewId, viewer, eventId: `${viewId}-2`, occurredAtMs: NOW + MINUTE, watchedMs: 30_000, seen: 0b1111111111 },
      ...{ stalledMs: 2_000, stalls: 1, ...more },
    }),
  ];

  it('a view is what its greatest counters say, however often and in which order its events come', async () => {
    const events = view('one', 'ann');
    await put(events.toReversed());
    await put(events);
    await put(view('two', 'bob', { errorCode: 'mediaError', fatal: true, eventType: 'error' }));
    expect(await query('SELECT count(*) AS n FROM events')).to.deep.equal([{ n: '4' }]);
    await store.name([titled('v')]);
    expect(
      await query(`SELECT view_id, watched_ms::int AS watched, stalled_ms::int AS stalled, stalls::int AS stalls,
        startup_ms::int AS startup, has_failed, error_code FROM plays ORDER BY view_id`),
    ).to.deep.equal([
      { view_id: 'one', watched: 30_000, stalled: 2_000, stalls: 1, startup: 400, has_failed: false, error_code: null },
      {
        ...{ view_id: 'two', watched: 30_000, stalled: 2_000, stalls: 1, startup: 400 },
        ...{ has_failed: true, error_code: 'mediaError' },
      },
    ]);
    const [day] = await query('SELECT * FROM daily');
    expect(day).to.deep.include({ began_on: '2026-11-20', video_title: 'A match', plays: '2', viewers: '2' });
    expect(day).to.deep.include({ failed_plays: '1', stalls: '2', engagement: 0.5, startup_ms_median: 400 });
    expect(day?.['rebuffering_share']).to.be.closeTo(4 / 64, 1e-9);
    expect(day?.['watched_hours']).to.be.closeTo(60 / 3_600, 1e-9);
    const retention = await query('SELECT twentieth::int AS twentieth, seen_share FROM retention ORDER BY twentieth');
    expect(retention.map((one) => one['seen_share'])).to.deep.equal([...Array(10).fill(1), ...Array(10).fill(0)]);
    expect(await query('SELECT country, plays FROM geography')).to.deep.equal([{ country: 'DE', plays: '2' }]);
    expect(await query('SELECT error_code, failed_plays FROM failures')).to.deep.equal([
      { error_code: 'mediaError', failed_plays: '1' },
    ]);
  });

  it('the segments that two replicas counted of one view are added, never its own counters', async () => {
    const counted = (source: string, watchedMs: number) =>
      row({ viewId: 'native', source, eventId: `native-${source}-${watchedMs}`, watchedMs, eventType: 'segment' });
    await put([counted('r1', 6_000), counted('r1', 12_000), counted('r2', 6_000)]);
    expect(await query('SELECT watched_ms::int AS watched FROM plays')).to.deep.equal([{ watched: 18_000 }]);
  });

  it('one session that plays two videos is two plays, each with its own time, and their reports are all events', async () => {
    const of = (videoId: string, watchedMs: number) => row({ viewId: 'shaka', videoId, eventId: 'shaka-1', watchedMs });
    await put([of('first', 4_000), of('second', 2_000)]);
    await put([of('first', 4_000)]);
    await store.name(['first', 'second'].map((id) => titled(id, { title: `Title of ${id}` })));
    const plays = 'SELECT video_id, video_title, watched_ms::int AS watched FROM plays ORDER BY video_id';
    expect(await query(plays)).to.deep.equal([
      { video_id: 'first', video_title: 'Title of first', watched: 4_000 },
      { video_id: 'second', video_title: 'Title of second', watched: 2_000 },
    ]);
    expect(await query('SELECT count(*) AS n FROM events')).to.deep.equal([{ n: '2' }]);
    expect(await query('SELECT sum(plays)::int AS n FROM daily')).to.deep.equal([{ n: 2 }]);
  });

  it('an organization sees its own events alone, and one without any sees empty views', async () => {
    await put([...view('mine', 'ann'), row({ viewId: 'theirs' }, { organizationId: 'org_b' })]);
    expect(await query('SELECT view_id FROM plays')).to.deep.equal([{ view_id: 'mine' }]);
    expect(await query('SELECT view_id FROM plays', 'org_b')).to.deep.equal([{ view_id: 'theirs' }]);
    expect(await query('SELECT * FROM daily', 'org_c')).to.deep.equal([]);
  });

  it('a query can read no other file, change no setting, and be nothing but one SELECT', async () => {
    await put(view('mine', 'ann'));
    for (const sql of [
      `SELECT * FROM read_text('/etc/passwd')`,
      `SELECT * FROM read_parquet('${tmpdir()}/*.parquet')`,
      `COPY (SELECT 1) TO '${tmpdir()}/stolen.csv'`,
      'SET enable_external_access = true',
      'INSTALL httpfs',
      'CREATE TABLE t AS SELECT 1',
      'SELECT 1; SELECT 2',
      '',
      'SELECT nothing FROM plays',
    ])
      expect((await failure(sql)).code, sql).to.equal('INVALID_ARGUMENT');
  });

  it('the same batch again is the same file, and merging changes no figure', async () => {
    for (let n = 0; n < 6; n += 1) await put(view(`view-${n}`, `viewer-${n}`));
    await put(view('view-5', 'viewer-5'));
    expect(await objects.list('organization=org_a/')).to.have.length(6);
    const before = await query('SELECT * FROM daily');
    // The day of receipt is long over.
    await store.compact(new AbortController().signal);
    const after = await query('SELECT * FROM daily');
    expect(after).to.deep.equal(before);
    // One that comes once more while the file that it is in waits for its removal, and after it.
    for (let round = 0; round < 2; round += 1) {
      await put(view('view-5', 'viewer-5'));
      expect(await query('SELECT * FROM daily')).to.deep.equal(before);
      await store.compact(new AbortController().signal);
      expect(await query('SELECT * FROM daily')).to.deep.equal(before);
    }
    await store.compact(new AbortController().signal);
    expect(await objects.list('organization=org_a/day=')).to.have.length(1);
    expect(await query('SELECT count(*) AS n FROM events')).to.deep.equal([{ n: '12' }]);
  });

  it('a day keeps its one file with events when it is merged with files that an erasure has emptied', async () => {
    const compact = () => store.compact(new AbortController().signal);
    for (let n = 0; n < 6; n += 1) await put(view(`view-${n}`, `viewer-${n}`));
    await compact();
    await compact();
    await put(view('erased', 'ann'));
    await store.deleteViewer('org_a', 'ann');
    for (let round = 0; round < 3; round += 1) await compact();
    expect(await query('SELECT count(*) AS n FROM plays')).to.deep.equal([{ n: '6' }]);
  });

  it('a deleted video keeps its numbers and loses its title at once, whatever comes late; another title shows at once', async () => {
    await put([...view('one', 'ann', { videoId: 'gone' }), ...view('two', 'ann', { videoId: 'stays' })]);
    await put(view('three', 'bob', { videoId: 'stays' }));
    const titles = () => query('SELECT video_id, video_title, plays FROM daily ORDER BY video_id');
    const expected = (gone: string | null, stays: string | null) => [
      { video_id: 'gone', video_title: gone, plays: '1' },
      { video_id: 'stays', video_title: stays, plays: '2' },
    ];
    expect(await titles()).to.deep.equal(expected(null, null));
    await Promise.all(['gone', 'stays', 'never-seen'].map((id) => store.name([titled(id)])));
    expect(await titles()).to.deep.equal(expected('A match', 'A match'));
    await store.name([
      titled('stays', { title: 'The final', version: 2 }),
      titled('other', { organizationId: 'org_b' }),
    ]);
    await store.name([titled('gone', { title: '', version: 2 })]);
    await store.name([titled('gone'), titled('stays')]);
    expect(await titles()).to.deep.equal(expected(null, 'The final'));
    expect(await query('SELECT video_id, title FROM videos', 'org_b')).to.deep.equal([
      { video_id: 'other', title: 'A match' },
    ]);
    // Nor is it anywhere in what is stored.
    for (const key of await objects.list('organization=org_a/'))
      expect((await objects.getBytes(key)).includes('A match'), key).to.equal(key.includes('videos'));
    await store.name([titled('never-seen', { title: '', version: 2 })]);
    for (const key of await objects.list('organization=org_a/'))
      expect((await objects.getBytes(key)).includes('A match'), key).to.equal(false);
  });

  it('a query reads the files of the days that it names, and no other one', async () => {
    const days = [1, 2, 3, 4];
    const at = (day: number): number => Date.UTC(2026, 10, day, 12);
    await put(days.map((day) => row({ viewId: `day-${day}`, receivedAtMs: at(day), occurredAtMs: at(day) })));
    const unread = (await objects.list('organization=org_a/')).filter((key) => /day=2026-11-0[14]/.test(key));
    for (const key of unread) await objects.putBytes(key, Buffer.from('no Parquet'), { contentType: 'text/plain' });
    const seen = async (from: string, to: string): Promise<unknown[]> =>
      (await store.query('org_a', 'SELECT view_id FROM plays ORDER BY view_id', { from, to })).rows.map(
        (one) => one['view_id'],
      );
    expect(await seen('2026-11-02', '2026-11-03')).to.deep.equal(['day-2', 'day-3']);
    expect(await seen('2026-11-03', '2026-11-03')).to.deep.equal(['day-3']);
    expect(await seen('2026-12-01', '')).to.deep.equal([]);
    expect(await failure('SELECT * FROM plays')).to.be.an('error');
  });

  it('what viewers watch is what a plain count says, of an organization alone, and of no deleted video', () =>
    checkBehaviour(store, 'org_watch'));

  it('loads, plays, starts, failed starts and exits are those of the table of cases', () =>
    checkPlays(store, 'org_cases'));

  it('events of three years leave after 800 days, and no figure of plays with them', async () => {
    let now = NOW;
    const aging = openFilesStore({ ...options, keepMs: 800 * 86_400_000, now: () => now });
    const forget = async (at: number): Promise<void> => {
      now = at;
      await aging.compact(new AbortController().signal);
    };
    await checkHistory(aging, 'org_aging', { end: NOW, forget });
    const keys = await objects.list('organization=org_aging/');
    expect(
      keys.filter((key) => key.includes('/day=')).every((key) => key >= 'organization=org_aging/day=2024-09-11'),
    ).to.equal(true);
    // Nor does an interrupted removal take any: what is left is added to what was kept.
    const [last = ''] = keys.filter((key) => key.includes('/day=')).toSorted();
    const day = /\d{4}-\d\d-\d\d/.exec(last)?.[0] ?? '';
    const figures = () => aging.query('org_aging', 'SELECT * FROM daily ORDER BY ALL', ANY_DAY);
    const before = await figures();
    const bytes = await objects.getBytes(last);
    await forget(Date.parse(day) + 802 * 86_400_000);
    await objects.putBytes(last, bytes, { contentType: 'application/vnd.apache.parquet' });
    await forget(now);
    expect((await figures()).rows).to.deep.equal(before.rows);
    // A viewer who is erased is in no play of old either.
    expect(await aging.deleteViewer('org_aging', 'ann')).to.be.above(0);
    expect((await aging.query('org_aging', "SELECT 1 FROM plays WHERE viewer_id = 'ann'", ANY_DAY)).rows).to.be.empty;
  });

  it('events and plays of files from before a column was added have no value of it, and count as plays', async () => {
    const { was_asked: _none, ...before } = columns;
    const rows = view('old', 'ann').map(({ was_asked: _unknown, ...known }) => known);
    await objects.putBytes('organization=org_a/day=2026-11-20/batch-0.parquet', writeParquet(before, rows), {
      contentType: 'application/vnd.apache.parquet',
    });
    const figures = () => query('SELECT plays, starts FROM daily');
    expect(await figures()).to.deep.equal([{ plays: '1', starts: '1' }]);
    await put(view('new', 'bob', { asked: true }));
    expect(await figures()).to.deep.equal([{ plays: '2', starts: '2' }]);
    await store.compact(new AbortController().signal);
    expect(await figures()).to.deep.equal([{ plays: '2', starts: '2' }]);
  });

  it('queries and computations take their turns, so that memory and room suffice for one of them', async () => {
    await put(view('one', 'ann'));
    await store.name([titled('v')]);
    const scratchDir = await mkdtemp(join(tmpdir(), 'analytics-turns-'));
    const inTurn = openFilesStore({ ...options, scratchDir });
    let [most, isDone] = [0, false];
    const watching = (async () => {
      while (!isDone) {
        most = Math.max(most, (await readdir(scratchDir)).length);
        await pause(2);
      }
    })();
    const { signal } = new AbortController();
    const question = { organizationId: 'org_a', statements: [watchedTogether(store.dialect)], days: ANY_DAY, signal };
    await Promise.all([
      ...Array.from({ length: 3 }, () => inTurn.query('org_a', 'SELECT count(*) FROM range(3000000)', ANY_DAY)),
      inTurn.compute(question, () => {}),
    ]);
    isDone = true;
    await watching;
    await rm(scratchDir, { recursive: true });
    expect(most).to.equal(1);
  });

  it('a computation that takes too long is interrupted', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'analytics-deadline-'));
    const statements = [
      'SELECT count(*) FROM range(10000000000) AS a, range(10000000000) AS b WHERE a.range * b.range = 7',
    ];
    const computation = { statements, signal: new AbortController().signal };
    const files = { events: [], plays: [], titles: [] };
    const error = await computeOver({ scratch, memoryBytes: 2 ** 26 }, files, computation, () => {}, 200).then(
      () => expect.fail('it came to an end'),
      (reason: unknown) => reason,
    );
    await rm(scratch, { recursive: true });
    expect(error).to.include({ code: 'DEADLINE_EXCEEDED' });
  });

  it('a viewer who is erased is in no file any more, and the others stay', async () => {
    await put([...view('one', 'ann'), ...view('two', 'bob')]);
    await put(view('three', 'ann'));
    expect(await store.deleteViewer('org_a', 'ann')).to.equal(4);
    expect(await query('SELECT view_id FROM plays')).to.deep.equal([{ view_id: 'two' }]);
    for (const key of await objects.list('')) expect((await objects.getBytes(key)).includes('ann')).to.equal(false);
    await store.deleteOrganization('org_a');
    expect(await objects.list('')).to.deep.equal([]);
  });
});
