import { expect } from 'chai';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { openObjects, type Objects } from '../../src/objects/objects.ts';
import { openPurges, type PurgeRequest, type PurgeOptions } from '../../src/stage/purge.ts';
import { isTombstoned } from '../../src/stage/tombstones.ts';
import { startWorkers } from '../../src/work/work.ts';
import { testBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';
import { quiet } from '../fixtures.ts';
import { asking, stageKit } from './stage-kit.ts';

const all: PurgeRequest = { groupKey: 'a', scope: 'all', keepAttempt: 0 };
function attemptOf(key: string): number {
  return Number(key.split('/')[1]);
}

describe('the purge desk', () => {
  const { pool, stages, words, units } = stageKit();
  let kit: Awaited<ReturnType<typeof testBucket>>;
  let objects: Objects;
  let workers: ReturnType<typeof startWorkers> | undefined;
  const aborted: string[] = [];

  before(async () => {
    kit = await testBucket();
    const keys = { s3AccessKey: kit.accessKey, s3SecretKey: kit.secretKey };
    objects = openObjects({ s3Endpoint: kit.endpoint, s3Region: kit.region, ...keys }, kit.bucket);
  });
  after(() => kit.drop());
  beforeEach(async () => {
    aborted.splice(0);
    await Promise.all(['a/1/x', 'a/2/x', 'b/1/x'].map((key) => objects.putBytes(key, 'x', { contentType: 'a/b' })));
  });
  afterEach(async () => {
    await workers?.close();
    workers = undefined;
  });

  const desk = (more: Partial<PurgeOptions> = {}) =>
    openPurges({
      pool: pool(),
      log: quiet,
      wake: () => {},
      abort: (groupKey) => void aborted.push(groupKey),
      againMs: 3_600_000,
      store: {
        objects,
        prefix: (groupKey) => `${groupKey}/`,
        matches:
          ({ scope, keepAttempt }) =>
          (key) =>
            scope === 'all' || keepAttempt === 0 || attemptOf(key) < keepAttempt,
      },
      forget: async () => {},
      say: ({ scope, keepAttempt }, cause) => ({
        subject: 'scales.thing.purged.v1',
        messageId: `purged/${scope}/${keepAttempt}/${cause}`,
        payload: Buffer.from('{}'),
        traceparent: null,
      }),
      ...more,
    });
  const work = (purges: ReturnType<typeof desk>): void => {
    const usual = { pool: pool(), log: quiet, metrics: createMetrics('test'), pollMs: 20, retryDelaysMs: [20] };
    workers = startWorkers({ ...usual, queues: { purge: purges.queue(1) } });
  };
  const purged = (times = 1) =>
    until(async () => (await words()).filter((word) => word === 'purged').length === times, { what: 'the answer' });
  const left = async (): Promise<string[]> => (await objects.list('')).toSorted();

  it('stops the work at once, removes objects, rows and units of the whole group, and says so', async () => {
    await stages().take(asking());
    const purges = desk();
    await purges.ask(all);
    expect(await stages().read(pool(), asking())).to.include({ state: 'cancelled' });
    expect(aborted).to.deep.equal(['a']);
    work(purges);
    await purged();
    expect(await left()).to.deep.equal(['b/1/x']);
    expect(await stages().read(pool(), asking())).to.equal(undefined);
    expect((await units()).filter((unit) => unit.startsWith('pan'))).to.deep.equal([]);
    expect(await isTombstoned(pool(), 'a')).to.equal(true);
  });

  it('removes and stops earlier attempts alone, and the group lives on', async () => {
    await stages().take(asking());
    await stages().take(asking({ attempt: 2 }));
    const purges = desk();
    await purges.ask({ groupKey: 'a', scope: 'before', keepAttempt: 2 });
    expect((await units()).slice(0, 2)).to.deep.equal(['pan cancelled', 'pan ready']);
    work(purges);
    await purged();
    expect(await left()).to.deep.equal(['a/2/x', 'b/1/x']);
    expect(await stages().read(pool(), asking())).to.equal(undefined);
    expect(await stages().read(pool(), asking({ attempt: 2 }))).to.include({ state: 'open' });
    expect(await isTombstoned(pool(), 'a')).to.equal(false);
    expect(aborted).to.deep.equal([]);
  });

  it('stops nothing where only the source is to go', async () => {
    await stages().take(asking());
    await desk().ask({ groupKey: 'a', scope: 'source', keepAttempt: 0 });
    expect(await stages().read(pool(), asking())).to.include({ state: 'open' });
  });

  it('does one purge for an asking that is repeated while it waits, and another one for a repeat after the answer', async () => {
    const purges = desk();
    await purges.ask(all);
    await purges.ask(all);
    work(purges);
    await purged();
    await purges.ask(all);
    await purged(2);
    const { rows } = await pool().query<{ ids: number }>(
      'SELECT count(DISTINCT message_id) AS ids FROM chassis.outbox',
    );
    expect(rows[0]?.ids).to.equal(2);
    expect((await units()).filter((unit) => unit.includes('late'))).to.deep.equal(['all-0-late ready']);
  });

  it('looks again after a while for what a worker wrote that had lost its lease, and says nothing of it', async () => {
    const purges = desk({ againMs: 200 });
    await purges.ask(all);
    work(purges);
    await purged();
    await objects.putBytes('a/1/late', 'x', { contentType: 'a/b' });
    const looked = async (): Promise<boolean> => (await units()).filter((unit) => unit.endsWith(' done')).length === 2;
    await until(looked, { what: 'the late look' });
    expect(await objects.list('a/')).to.deep.equal([]);
    expect(await words()).to.deep.equal(['purged']);
    const finalSweep = async () =>
      (await pool().query(`SELECT id FROM chassis.work WHERE unit = 'all-0-late'`)).rows[0];
    const first = await finalSweep();
    await purges.ask(all);
    await purged(2);
    expect(await finalSweep()).not.to.deep.equal(first);
  });

  it('answers only once its stores are empty and its own rows are forgotten', async () => {
    const forgotten: PurgeRequest[] = [];
    let refusals = 2;
    const purges = desk({
      forget: async (_client, asked) => {
        if ((refusals -= 1) >= 0) throw new Error('the table is away');
        forgotten.push(asked);
      },
    });
    await purges.ask(all);
    work(purges);
    await purged();
    expect(forgotten).to.deep.equal([all]);
  });
});
