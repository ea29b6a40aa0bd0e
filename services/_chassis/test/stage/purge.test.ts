import { expect } from 'chai';
import { events } from '@vds/proto/events';
import { openObjects, type Objects } from '../../src/objects/objects.ts';
import type { PurgeDefinition, PurgeRequest } from '../../src/stage/purge.ts';
import { bindStage, startStages, type Stages } from '../../src/stage/run-stages.ts';
import { isTombstoned } from '../../src/stage/tombstones.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import type { EventHandler } from '../../src/bus/bus.ts';
import { testBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';
import { quiet } from '../fixtures.ts';
import { jsonEvent, requestOf, stageKit, weighStage } from './stage-kit.ts';

const all: PurgeRequest = { videoId: 'a', scope: 'PURGE_SCOPE_VIDEO', keepAttempt: 0 };
const finalSweep = 'PURGE_SCOPE_VIDEO-0-final-sweep';
function attemptOf(key: string): number {
  return Number(key.split('/')[1]);
}

describe('a purge', () => {
  const { pool, take, read, facts, jobs } = stageKit();
  let kit: Awaited<ReturnType<typeof testBucket>>;
  let objects: Objects;
  let running: Stages[] = [];

  before(async () => {
    kit = await testBucket();
    const keys = { s3AccessKey: kit.accessKey, s3SecretKey: kit.secretKey };
    objects = openObjects({ s3Endpoint: kit.endpoint, s3Region: kit.region, ...keys }, kit.bucket);
  });
  after(() => kit.drop());
  beforeEach(async () => {
    await Promise.all(['a/1/x', 'a/2/x', 'b/1/x'].map((key) => objects.putBytes(key, 'x', { contentType: 'a/b' })));
  });
  afterEach(async () => {
    await Promise.all(running.map((stages) => stages.close()));
    running = [];
  });

  const definition = (): PurgeDefinition => ({
    event: jsonEvent('scales.video.purged.v1'),
    tables: [],
    store: {
      objects,
      prefix: (videoId) => `${videoId}/`,
      matches:
        ({ scope, keepAttempt }) =>
        (key) =>
          scope === 'PURGE_SCOPE_VIDEO' || keepAttempt === 0 || attemptOf(key) < keepAttempt,
    },
  });
  /** The runtime of a service called `scales`; `slots` 0 leaves purges undone. */
  const start = (slots: number, more: Partial<PurgeDefinition> = {}, againMs = 3_600_000) => {
    const handlers: EventHandler[] = [];
    const keep = (list: readonly EventHandler[]): void => void handlers.push(...list);
    const stages = startStages({
      ...{ pool: pool(), log: quiet, metrics: createMetrics('test'), pollMs: 20, retryDelaysMs: [20] },
      ...{ bus: { subscribe: keep, watch: keep }, relay: { wake: () => {} } },
      stages: [bindStage(weighStage(), null)],
      queues: { weigh: { slots: 0 } },
      purge: { ...definition(), ...more, slots, againMs },
    });
    running.push(stages);
    const handler = handlers.find(({ subject }) => subject === events.purgeRequested.subject);
    return (request: PurgeRequest, owners = ['scales']) =>
      handler?.handle(events.purgeRequested.encode({ ...request, owners }), { id: 'test', delivery: 1 });
  };
  const purged = (times = 1) =>
    until(async () => (await facts()).filter((fact) => fact === 'purged').length === times, { what: 'the answer' });
  const left = async (): Promise<string[]> => (await objects.list('')).toSorted();

  it('stops the work at once, removes objects, rows and jobs of the whole video, and is answered', async () => {
    await take(requestOf());
    await start(0)(all);
    expect(await read(requestOf())).to.include({ state: 'cancelled' });
    start(1);
    await purged();
    expect(await left()).to.deep.equal(['b/1/x']);
    expect(await read(requestOf())).to.equal(undefined);
    expect((await jobs()).filter((job) => job.startsWith('pan'))).to.deep.equal([]);
    expect(await isTombstoned(pool(), 'a')).to.equal(true);
  });

  it('of other owners alone is ignored', async () => {
    await take(requestOf());
    await start(1)(all, ['elsewhere']);
    expect(await read(requestOf())).to.include({ state: 'open' });
  });

  it('of other attempts removes and stops earlier ones alone, and the video lives on', async () => {
    await take(requestOf());
    await take(requestOf({ attempt: 2 }));
    await start(0)({ videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 2 });
    expect((await jobs()).slice(0, 2)).to.deep.equal(['pan cancelled', 'pan ready']);
    start(1);
    await purged();
    expect(await left()).to.deep.equal(['a/2/x', 'b/1/x']);
    expect(await read(requestOf())).to.equal(undefined);
    expect(await read(requestOf({ attempt: 2 }))).to.include({ state: 'open' });
    expect(await isTombstoned(pool(), 'a')).to.equal(false);
  });

  it('of the source stops nothing', async () => {
    await take(requestOf());
    await start(0)({ videoId: 'a', scope: 'PURGE_SCOPE_SOURCE', keepAttempt: 0 });
    expect(await read(requestOf())).to.include({ state: 'open' });
  });

  it('knows the newest attempt of its own moment, whatever comes later', async () => {
    await take(requestOf());
    await take(requestOf({ attempt: 2 }));
    await start(0)({ videoId: 'a', scope: 'PURGE_SCOPE_SOURCE', keepAttempt: 0 });
    await take(requestOf({ attempt: 3 }));
    const seen: number[] = [];
    const store = { ...definition().store!, matches: ({ upTo }: { upTo: number }) => (seen.push(upTo), () => false) };
    start(1, { store });
    await purged();
    expect(seen).to.deep.equal([2]);
  });

  it('is done once for a request that is repeated while it waits, and again for a repeat after the answer', async () => {
    const request = start(0);
    await request(all);
    await request(all);
    const again = start(1);
    await purged();
    await again(all);
    await purged(2);
    const { rows } = await pool().query<{ ids: number }>(
      'SELECT count(DISTINCT message_id) AS ids FROM chassis.outbox',
    );
    expect(rows[0]?.ids).to.equal(2);
    expect((await jobs()).filter((job) => job.includes('final'))).to.deep.equal([`${finalSweep} ready`]);
  });

  it('sweeps once more for what a worker wrote that had lost its lease, and publishes nothing of it', async () => {
    const request = start(1, {}, 200);
    await request(all);
    await purged();
    await objects.putBytes('a/1/late', 'x', { contentType: 'a/b' });
    const swept = async (): Promise<boolean> => (await jobs()).filter((job) => job.endsWith(' done')).length === 2;
    await until(swept, { what: 'the final sweep' });
    expect(await objects.list('a/')).to.deep.equal([]);
    expect(await facts()).to.deep.equal(['purged']);
    const sweepId = async () =>
      (await pool().query('SELECT id FROM chassis.jobs WHERE name = $1', [finalSweep])).rows[0];
    const first = await sweepId();
    await request(all);
    await purged(2);
    expect(await sweepId()).not.to.deep.equal(first);
  });

  it('is answered only once its stores are empty and the service’s own rows are removed', async () => {
    await pool().query('CREATE TABLE weights (video_id text, attempt int); INSERT INTO weights VALUES ($$a$$, 1)');
    await pool().query('ALTER TABLE weights RENAME TO weights_away');
    await start(1, { tables: ['weights'] })(all);
    await until(async () => (await jobs()).some((job) => job.endsWith(' ready')), { what: 'a first try that failed' });
    expect(await facts()).to.deep.equal([]);
    await pool().query('ALTER TABLE weights_away RENAME TO weights');
    await purged();
    expect((await pool().query('SELECT 1 FROM weights')).rowCount).to.equal(0);
  });
});
