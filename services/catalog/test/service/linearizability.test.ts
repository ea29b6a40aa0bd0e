/** Concurrent changes of one video by three stores leave what the pure functions decide in one order of them. */
import { openPool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { runs } from '@vds/testkit/counts';
import { openTestPool, testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { expect } from 'chai';
import fc from 'fast-check';
import type pg from 'pg';
import type { DecisionContext } from '../../src/domain/commands.ts';
import type { Plan, Snapshot } from '../../src/domain/plan.ts';
import { replaced } from '../../src/domain/stages.ts';
import { createVideo } from '../../src/outbound/create-video.ts';
import { loadSnapshot, type Loaded } from '../../src/outbound/snapshots.ts';
import { openVideoStore, type Outcome } from '../../src/outbound/video-store.ts';
import { auditRow } from '../../src/outbound/audit-rows.ts';
import { contextAt, later } from '../domain/fixtures.ts';
import { applied, decide, ladder, step, type Step } from '../domain/play.ts';
import { newId } from './harness.ts';
import { serviceFolder } from './process.ts';

const tried = runs(1) > 1 ? 10_000 : 150;
/** Sequences that run in parallel, each on its own videos. */
const LANES = 6;
const by = { actor: 'test', action: 'step', always: true };
const REPUBLISH_FIRST_MS = 3_600_000;

/** Steps of one group are taken at once. */
const groups = fc
  .tuple(
    fc.constantFrom([], ladder()),
    fc.array(fc.oneof({ weight: 2, arbitrary: fc.tuple(step) }, fc.array(step, { minLength: 2, maxLength: 3 })), {
      minLength: 1,
      maxLength: 12,
      size: 'max',
    }),
  )
  .map(([first, rest]): Step[][] => [...first.map((one) => [one]), ...rest]);

/** A video and the rows written with it. */
type Rows = { readonly snapshot: Snapshot; readonly ledger: readonly string[]; readonly audit: readonly string[] };

/** A wait is a decision at a later time of the database. */
function decideAt(one: Step, snapshot: Snapshot, context: DecisionContext): Outcome {
  const ms = one.do === 'wait' ? Math.max(0, one.ms) : 0;
  return decide(one, snapshot, { ...context, now: new Date(context.now.getTime() + ms) });
}

/** Every result that the steps, one after the other in some order, can have with these replies. */
function linearizations(rows: Rows, steps: readonly Step[], replies: readonly string[], now: Date): Rows[] {
  if (steps.length === 0) return [rows];
  return steps.flatMap((one, at) => {
    const outcome = decideAt(one, rows.snapshot, contextAt(now));
    if (replyOf(outcome) !== replies[at]) return [];
    const others = <T>(list: readonly T[]) => list.filter((_, other) => other !== at);
    return linearizations(applyOutcome(rows, outcome, now), others(steps), others(replies), now);
  });
}

function applyOutcome({ snapshot, ledger, audit }: Rows, outcome: Outcome, now: Date): Rows {
  if (outcome.kind === 'reject') return { snapshot, ledger, audit };
  if (outcome.kind === 'stage-update')
    return { snapshot: { ...snapshot, stages: replaced(snapshot.stages, outcome.status) }, ledger, audit };
  const video = outcome.kind === 'plan' ? outcome.video : snapshot.video;
  const row = auditRow(snapshot.video, video, by, now);
  const line = `${row?.was} → ${row?.became}`;
  if (outcome.kind === 'no-op') return { snapshot, ledger, audit: [...audit, line] };
  return { snapshot: applied(snapshot, outcome, now), ledger: ledgerAfter(ledger, outcome), audit: [...audit, line] };
}

function replyOf(outcome: Outcome): string {
  if (outcome.kind === 'reject') return `${outcome.code} ${outcome.message}`;
  return outcome.kind === 'stage-update' ? '' : JSON.stringify(outcome.reply ?? '');
}

function ledgerAfter(ledger: readonly string[], { effects }: Plan): readonly string[] {
  const kept = effects.some(({ type }) => type === 'drop-purges') ? [] : ledger;
  return effects.reduce((rows, effect) => {
    if (effect.type !== 'purge') return rows;
    const { scope, keepAttempt, owners } = effect.purge;
    const others = rows.filter((row) => !owners.some((owner) => row.startsWith(`${owner} ${scope} `)));
    return [...others, ...owners.map((owner) => `${owner} ${scope} ${keepAttempt}`)];
  }, kept);
}

/** Everything but the times themselves and the playback id, which is random. */
function textOf({ snapshot: { video, stages }, ledger, audit }: Rows): string {
  const sorted = stages.toSorted((a, b) => a.stage.localeCompare(b.stage));
  const plain = (value: unknown): unknown => {
    if (value instanceof Date) return 'a time';
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([name, field]) => [name, plain(field)] as const);
    return Object.fromEntries(fields.toSorted(([a], [b]) => a.localeCompare(b)));
  };
  const minted = { ...video, playbackId: video.playbackId !== null };
  return JSON.stringify(plain({ video: minted, stages: sorted, ledger: ledger.toSorted(), audit: audit.toSorted() }));
}

describe('concurrent changes of one video', () => {
  let database: TestDatabase;
  let admin: pg.Pool;
  let stores: { store: ReturnType<typeof openVideoStore>; close: () => Promise<void> }[];
  before(async () => {
    database = await testDatabase(serviceFolder);
    admin = openTestPool({ ...database.poolConfig, max: 4 });
    stores = Array.from({ length: 3 }, () => openStore(database));
  });
  after(async () => {
    await Promise.all([admin.end(), ...stores.map(({ close }) => close())]);
    await database.drop();
  });

  const load = async (id: string): Promise<Loaded> => {
    const loaded = await loadSnapshot(admin, id);
    return loaded ?? expect.fail(`video ${id} is gone`);
  };
  const readRows = async (id: string): Promise<Rows> => {
    const { rows } = await admin.query<Omit<Rows, 'snapshot'>>(
      `SELECT ARRAY(SELECT owner || ' ' || scope || ' ' || keep_attempt FROM purges WHERE video_id = $1) AS ledger,
        ARRAY(SELECT was || ' → ' || became FROM audit WHERE video_id = $1 ORDER BY id) AS audit`,
      [id],
    );
    return { snapshot: await load(id), ledger: rows[0]?.ledger ?? [], audit: rows[0]?.audit ?? [] };
  };
  const create = async (): Promise<string> => {
    const id = newId();
    const texts = { sourceUrl: 'https://a', title: 't', summary: null, tags: [], thumbnailUrl: null, sport: null };
    const video = { ...texts, category: null, languageCode: 'en', publisherId: 'p', keyId: 'k', budgetId: 'b' };
    const metrics = { accepted: () => {}, overDailyLimit: () => {} };
    const times = { republishFirstMs: REPUBLISH_FIRST_MS };
    await createVideo(
      { pool: admin, metrics, notify: () => {}, ...times },
      { ...video, id, dailyLimit: 1_000_000 },
      () => 60_000,
    );
    return id;
  };

  it(`concurrent changes leave what the pure functions decide in one order, in ${tried} sequences`, async () => {
    const run = async (sequence: readonly Step[][]): Promise<void> => {
      const id = await create();
      let now = await readRows(id);
      for (const steps of sequence) {
        const at = (await load(id)).now;
        const outcomes = await Promise.all(
          steps.map(async (one, n) => {
            const changed = await stores[n]?.store.change(id, (s, context) => decideAt(one, s, context), by);
            return replyOf(changed?.outcome ?? expect.fail('the video is gone'));
          }),
        );
        const next = await readRows(id);
        expect(linearizations(now, steps, outcomes, at).map(textOf), JSON.stringify(steps)).to.include(textOf(next));
        now = next;
      }
      await expectRows(admin, id, now.snapshot);
    };
    const lane = () => fc.assert(fc.asyncProperty(groups, run), { numRuns: Math.ceil(tried / LANES) });
    await Promise.all(Array.from({ length: LANES }, lane));
    const { rows } = await admin.query('SELECT count(*) = (SELECT used FROM daily_counts) AS equal FROM videos');
    expect(rows, 'one charge a video').to.deep.equal([{ equal: true }]);
  }).timeout(3_600_000);
});

function openStore({ url: databaseUrl, password: databasePassword }: TestDatabase) {
  const pool = openPool({ databaseUrl, databasePassword, databasePoolSize: 4 }, 'catalog', createLogger('t', 'error'));
  const times = { ...contextAt(later(0)), republishFirstMs: REPUBLISH_FIRST_MS };
  const store = openVideoStore({ pool, times, notify: () => {}, onPlan: [] });
  return { store, close: () => pool.close() };
}

/** A clip exactly while ready, no open stage of an earlier attempt, and one `changed` message a version. */
async function expectRows(pool: pg.Pool, id: string, { video }: Snapshot): Promise<void> {
  const { rows } = await pool.query(
    `SELECT ARRAY(SELECT playback_id FROM clips WHERE video_id = $1) AS clips,
      (SELECT count(*)::int FROM stages WHERE video_id = $1 AND attempt < $2 AND state IN ('requested', 'started')) AS open,
      (SELECT count(DISTINCT message_id)::int FROM chassis.outbox WHERE message_id LIKE $1 || '-changed-%') AS changed`,
    [id, video.attempt],
  );
  const clips = video.state === 'ready' ? [video.playbackId] : [];
  expect(rows).to.deep.equal([{ clips, open: 0, changed: video.version - 1 }]);
}
