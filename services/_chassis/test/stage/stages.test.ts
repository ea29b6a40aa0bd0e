import { expect } from 'chai';
import { withTransaction } from '../../src/database/database.ts';
import { addTombstone } from '../../src/stage/tombstones.ts';
import { bindStage } from '../../src/stage/run-stages.ts';
import { events } from '@vds/proto/events';
import { idleStages } from '@vds/testkit/harness/idle-stages';
import { until } from '@vds/testkit/until';
import { jsonEvent, requestOf, stageKit, weighStage } from './stage-kit.ts';

describe('the life of a stage', () => {
  const { pool, take, enter, read, published, facts, jobs, complete, fail } = stageKit();
  const cancel = (videoId: string): Promise<void> => {
    const purge = { event: jsonEvent('scales.video.purged.v1'), tables: [] };
    return idleStages(pool(), [bindStage(weighStage(), null)], purge).deliver(events.videoCancelled, { videoId });
  };

  it('the first request opens a stage, and a repeat is ignored while the stage is open', async () => {
    await take(requestOf());
    await take(requestOf());
    expect(await jobs()).to.deep.equal(['pan ready']);
    expect(await facts()).to.deep.equal([]);
  });

  it('a stage publishes started once, at its first job, which receives the request', async () => {
    await take(requestOf());
    expect(await enter(requestOf())).to.deep.include(requestOf());
    expect(await enter(requestOf())).to.deep.include(requestOf());
    expect(await published()).to.deep.equal([
      {
        subject: 'scales.weigh.started.v1',
        id: 'scales.weigh.started.v1/a/1/0',
        payload: { videoId: 'a', attempt: 1, revision: 0 },
      },
    ]);
  });

  it('a stage publishes started once if eight replicas start it at the same time', async () => {
    await take(requestOf());
    await Promise.all(Array.from({ length: 8 }, () => enter(requestOf())));
    expect(await facts()).to.deep.equal(['started']);
  });

  it('a stage is opened once if eight replicas consume the same request', async () => {
    await Promise.all(Array.from({ length: 8 }, () => take(requestOf())));
    expect(await jobs()).to.deep.equal(['pan ready']);
  });

  it('a stage that is requested after its end republishes its terminal event under a new id each time', async () => {
    await take(requestOf());
    await complete(requestOf(), 7);
    await take(requestOf());
    await take(requestOf());
    const all = await published();
    expect(all.map(({ payload }) => payload)).to.deep.equal(
      Array.from({ length: 3 }, () => ({ videoId: 'a', attempt: 1, revision: 0, grams: 7 })),
    );
    expect(new Set(all.map(({ id }) => id)).size).to.equal(3);
    expect(all[0]?.id).to.equal('scales.weigh.completed.v1/a/1/0');
  });

  it('a failure is republished with its code and details', async () => {
    await take(requestOf());
    await fail(requestOf());
    await take(requestOf());
    const [, again] = await published();
    expect(again?.subject).to.equal('scales.weigh.failed.v1');
    expect(again?.payload).to.include({ code: 'too_heavy' }).and.have.deep.property('details', { by: 'far' });
  });

  it('a stage ends once: a second end is rejected and publishes nothing', async () => {
    await take(requestOf());
    expect(await Promise.all([complete(requestOf()), complete(requestOf()), fail(requestOf())])).to.have.members([
      true,
      false,
      false,
    ]);
    expect(await facts()).to.have.lengthOf(1);
  });

  it('a stage publishes nothing if the transaction that ends it is rolled back', async () => {
    await take(requestOf());
    const { handle } = idleStages(pool(), [bindStage(weighStage(), null)], {
      event: jsonEvent('scales.video.purged.v1'),
      tables: [],
    });
    await withTransaction(pool(), async (client) => {
      await handle(weighStage(), requestOf()).complete(client, { grams: 1 });
      throw new Error('the job lost its lease');
    }).catch(() => 'as expected');
    expect(await facts()).to.deep.equal([]);
    expect(await read(requestOf())).to.include({ state: 'open' });
  });

  it('the attempts of a stage end independently', async () => {
    await take(requestOf());
    await fail(requestOf());
    await take(requestOf({ attempt: 2 }));
    expect(await complete(requestOf())).to.equal(false);
    expect(await complete(requestOf({ attempt: 2 }))).to.equal(true);
    expect(await facts()).to.deep.equal(['failed', 'completed']);
  });

  it('a failed stage cancels the other jobs of its attempt, and of no other attempt', async () => {
    await take(requestOf());
    await take(requestOf({ attempt: 2 }));
    await fail(requestOf());
    expect(await jobs()).to.deep.equal(['pan cancelled', 'pan ready']);
  });

  it('a failing stage does not wait for a job that another transaction is ending', async () => {
    await take(requestOf());
    const elsewhere = await pool().connect();
    await elsewhere.query(`BEGIN; UPDATE chassis.jobs SET state = 'done' WHERE video_id = 'a'`);
    expect(await fail(requestOf())).to.equal(true);
    await elsewhere.query('COMMIT');
    elsewhere.release();
  });

  it('a cancelled stage publishes nothing, and no request opens it again', async () => {
    await take(requestOf());
    await cancel('a');
    await take(requestOf());
    await take(requestOf({ revision: 1 }));
    expect(await enter(requestOf())).to.include({ state: 'cancelled' });
    expect(await complete(requestOf())).to.equal(false);
    expect(await jobs()).to.deep.equal(['pan cancelled']);
    expect(await facts()).to.deep.equal([]);
  });

  it('a stage is not opened for a video with a tombstone', async () => {
    await addTombstone(pool(), 'a');
    await take(requestOf());
    expect(await jobs()).to.deep.equal([]);
    expect(await read(requestOf())).to.equal(undefined);
  });

  it('a stage is not opened for a video that is being purged at the same time', async () => {
    const purge = await pool().connect();
    await purge.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('a', 0))`);
    await addTombstone(purge, 'a');
    let done = false;
    const taken = take(requestOf()).then(() => (done = true));
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await until(async () => done || (await pool().query(waiting)).rowCount, { what: 'the request waits or is done' });
    await purge.query('COMMIT');
    purge.release();
    await taken;
    expect(await jobs()).to.deep.equal([]);
  });
});
