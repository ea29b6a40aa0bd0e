import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { expect } from 'chai';
import { clickhouseAdapter } from '@vds/testkit/programs/clickhouse';
import { freePort } from '@vds/testkit/servers/free-port';
import { skipBecause } from '@vds/testkit/skip';
import { grantStatements, revokeStatements } from '../src/domain/warehouse/access.ts';
import { openClickHouseStore } from '../src/outbound/clickhouse-store.ts';
import { checkBehaviour } from './behaviour-of.ts';
import { checkHistory } from './history-of.ts';
import { checkPlays } from './plays-of.ts';
import { ANY_DAY, NOW, row, titled } from './rows.ts';

const DAY_MS = 86_400_000;
type Store = Awaited<ReturnType<typeof openClickHouseStore>>;

describe('events in ClickHouse', function () {
  this.timeout(120_000);
  let folder: string;
  let engine: ChildProcess | undefined;
  let url: string;
  let store: Store;
  let other: Store;
  before(async function () {
    const adapter = clickhouseAdapter();
    if (!adapter) skipBecause(this, 'needs the Python package chdb: VDS_CHDB_PYTHON names a Python that has it');
    folder = await mkdtemp(join(tmpdir(), 'vds-clickhouse-'));
    const port = await freePort();
    engine = spawn(adapter.python, [adapter.script, String(port), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(engine.stdout ?? engine, 'data');
    url = `http://127.0.0.1:${port}`;
    const options = { url, user: 'default', password: '', database: 'vds' };
    const open = () => openClickHouseStore({ ...options, cluster: undefined, keepMs: 3_650 * 86_400_000 });
    [store, other] = [await open(), await open()];
  });
  after(async () => {
    await store?.close();
    await other?.close();
    engine?.kill();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const view = (viewId: string, viewer: string, organizationId = 'org_a') => [
    row(
      { ...{ viewId, viewer, eventId: `${viewId}-1`, startupMs: 400, watchedMs: 10_000, seen: 0b1111 } },
      { organizationId },
    ),
    row(
      {
        ...{ viewId, viewer, eventId: `${viewId}-2`, occurredAtMs: NOW + 60_000, watchedMs: 30_000 },
        ...{ seen: 0b1111111111, stalledMs: 2_000, stalls: 1 },
      },
      { organizationId },
    ),
  ];
  const query = async (sql: string, organizationId = 'org_a') => (await store.query(organizationId, sql, ANY_DAY)).rows;

  it('two replicas insert beside each other, a batch that comes again is ignored, and the figures are those of files', async () => {
    const batch = [...view('one', 'ann'), ...view('theirs', 'eve', 'org_b')];
    await store.put(batch);
    await other.put(view('two', 'bob'));
    await other.name([titled('v')]);
    await other.name([]);
    // What a killed replica had stored and not acknowledged comes to the other one.
    await other.put(batch);
    expect(await query('SELECT count() AS n FROM stored_events')).to.deep.equal([{ n: '4' }]);
    expect(await query('SELECT view_id, watched_ms, stalls FROM plays ORDER BY view_id')).to.deep.equal([
      { view_id: 'one', watched_ms: '30000', stalls: '1' },
      { view_id: 'two', watched_ms: '30000', stalls: '1' },
    ]);
    const [day] = await query('SELECT * FROM daily');
    expect(day).to.deep.include({ began_on: '2026-11-20', video_title: 'A match', plays: '2', viewers: '2' });
    expect(day).to.deep.include({ failed_plays: '0', stalls: '2', engagement: 0.5, rebuffering_share: 4 / 64 });
    const retention = await query('SELECT seen_share FROM retention ORDER BY twentieth');
    expect(retention.map((one) => one['seen_share'])).to.deep.equal([...Array(10).fill(1), ...Array(10).fill(0)]);
  });

  it('a batch in another division changes no figure of the views', async () => {
    await other.put(view('one', 'ann'));
    expect(await query('SELECT count() AS n FROM events')).to.deep.equal([{ n: '4' }]);
    expect(await query("SELECT watched_ms FROM plays WHERE view_id = 'one'")).to.deep.equal([{ watched_ms: '30000' }]);
  });

  it('one session that plays two videos is two plays', async () => {
    const of = (videoId: string, watchedMs: number) =>
      row({ ...{ viewId: 'shaka', videoId, eventId: 'shaka-1', watchedMs } }, { organizationId: 'org_c' });
    await store.put([of('first', 4_000), of('second', 2_000)]);
    expect(await query('SELECT video_id, watched_ms FROM plays ORDER BY video_id', 'org_c')).to.deep.equal([
      { video_id: 'first', watched_ms: '4000' },
      { video_id: 'second', watched_ms: '2000' },
    ]);
    expect(await query('SELECT count() AS n FROM events', 'org_c')).to.deep.equal([{ n: '2' }]);
  });

  it('other rows are never taken for a batch that came before', async () => {
    // JetStream gives the same sequences again after it was restored to an earlier moment.
    for (const viewId of ['behind', 'again']) await store.put([row({ viewId }, { organizationId: 'org_d' })]);
    expect(await query('SELECT view_id FROM plays ORDER BY view_id', 'org_d')).to.deep.equal([
      { view_id: 'again' },
      { view_id: 'behind' },
    ]);
  });

  it('an organization sees its own rows alone, and a query only reads', async () => {
    expect(await query('SELECT view_id FROM plays', 'org_b')).to.deep.equal([{ view_id: 'theirs' }]);
    for (const sql of [
      "INSERT INTO stored_events (event_id) VALUES ('x')",
      'DROP TABLE stored_events',
      'SELECT nothing FROM plays',
    ])
      expect(
        await store.query('org_a', sql, ANY_DAY).then(
          () => 'answered',
          (error: { code: string }) => error.code,
        ),
        sql,
      ).to.equal('INVALID_ARGUMENT');
  });

  it('the statements that give and take access are ClickHouse’s', async () => {
    for (const cluster of [undefined, 'main']) {
      const access = {
        organizationId: 'org_a',
        bucket: 'b',
        database: 'vds',
        servingUser: 's',
        cluster,
        password: 'p',
      };
      const text = grantStatements('clickhouse', access) + revokeStatements('clickhouse', access);
      const statements = text.split(';\n').filter((one) => /^(CREATE|GRANT|DROP)/m.test(one));
      expect(statements).to.have.length(18);
      for (const statement of statements)
        await query(`SELECT formatQuery('${statement.replaceAll("'", "''")}') AS formatted`);
    }
  });
  it('a user sees the rows of its policy alone', function () {
    skipBecause(this, 'chdb has no users and no row policies');
  });

  it('another title shows at once, and a deleted video keeps its numbers and loses its title, whatever comes late', async () => {
    await store.name([titled('v', { title: 'The final', version: 2 })]);
    const titles = () => query('SELECT video_title, plays FROM daily');
    expect(await titles()).to.deep.equal([{ video_title: 'The final', plays: '2' }]);
    await store.name([titled('v', { title: '', version: 3 })]);
    expect(await query("SELECT count() AS n FROM stored_videos WHERE title != ''")).to.deep.equal([{ n: '0' }]);
    await other.name([titled('v', { title: 'The final', version: 2 })]);
    expect(await titles()).to.deep.equal([{ video_title: null, plays: '2' }]);
  });

  it('a query sees the days that it names', async () => {
    const at = (day: number): number => Date.UTC(2026, 9, day, 12);
    const of = (day: number) => ({ viewId: `day-${day}`, receivedAtMs: at(day), occurredAtMs: at(day) });
    await store.put([1, 2, 3].map((day) => row(of(day), { organizationId: 'org_e' })));
    const days = { from: '2026-10-02', to: '2026-10-02' };
    for (const relation of ['plays', 'events']) {
      const { rows } = await store.query('org_e', `SELECT view_id FROM ${relation}`, days);
      expect(rows, relation).to.deep.equal([{ view_id: 'day-2' }]);
    }
  });

  it('what viewers watch is what a plain count says, of an organization alone, and of no deleted video', () =>
    checkBehaviour(store, 'org_watch'));

  it('loads, plays, starts, failed starts and exits are those of the table of cases', () =>
    checkPlays(store, 'org_cases'));

  it('events of three years leave after 800 days, and no figure of plays with them', async () => {
    const client = createClient({ url });
    const run = (statement: string) => client.command({ query: statement });
    // As a database from before plays were kept for ever, without the columns that came later.
    await run('ALTER TABLE play_parts MODIFY TTL toDateTime(last_at) + INTERVAL 800 DAY');
    await run('DROP VIEW add_play_parts');
    await run('ALTER TABLE stored_events DROP COLUMN was_asked');
    const options = { url, user: 'default', password: '', database: 'vds', cluster: undefined };
    const aging = await openClickHouseStore({ ...options, keepMs: 800 * DAY_MS });
    await run('ALTER TABLE stored_events MODIFY TTL toDateTime(received_at) + INTERVAL 800 DAY');
    // The engine has a clock of its own.
    const end = Date.now();
    const forget = async (at: number): Promise<void> => {
      if (at < end) return;
      for (const table of ['stored_events', 'play_parts']) await run(`OPTIMIZE TABLE ${table} FINAL`);
    };
    await checkHistory(aging, 'org_aging', { end, forget });
    await aging.close();
    await client.close();
  });

  it('a viewer who is erased is in no row any more', async () => {
    expect(await store.deleteViewer('org_a', 'ann')).to.be.at.least(2);
    expect(await query('SELECT view_id FROM plays')).to.deep.equal([{ view_id: 'two' }]);
    await store.deleteOrganization('org_a');
    expect(await query('SELECT view_id FROM plays')).to.deep.equal([]);
    expect(await query('SELECT view_id FROM plays', 'org_b')).to.deep.equal([{ view_id: 'theirs' }]);
  });
});
