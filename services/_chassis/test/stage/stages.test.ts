import { expect } from 'chai';
import { withTransaction } from '../../src/database/database.ts';
import { addTombstone } from '../../src/stage/tombstones.ts';
import { stageOfUnit } from '../../src/stage/stages.ts';
import { until } from '@vds/testkit/until';
import { asking, stageKit } from './stage-kit.ts';

describe('stages', () => {
  const { pool, stages, said, words, units, complete, fail } = stageKit();

  it('begins at the first asking, and leaves an open stage alone when it is asked for again', async () => {
    await stages().take(asking());
    await stages().take(asking());
    expect(await units()).to.deep.equal(['pan ready']);
    expect(await words()).to.deep.equal([]);
  });

  it('says that it has started once, at the first unit that enters, and hands out what was asked', async () => {
    await stages().take(asking());
    expect(await stages().enter(asking())).to.deep.equal(asking());
    expect(await stages().enter(asking())).to.deep.equal(asking());
    expect(await said()).to.deep.equal([
      {
        subject: 'scales.weigh.started.v1',
        id: 'scales.weigh.started.v1/a/1/0',
        payload: { groupKey: 'a', attempt: 1, revision: 0 },
      },
    ]);
  });

  it('says that it has started once where two replicas enter at once', async () => {
    await stages().take(asking());
    await Promise.all(Array.from({ length: 8 }, () => stages().enter(asking())));
    expect(await words()).to.deep.equal(['started']);
  });

  it('opens once where two replicas hear the same request', async () => {
    await Promise.all(Array.from({ length: 8 }, () => stages().take(asking())));
    expect(await units()).to.deep.equal(['pan ready']);
  });

  it('says the last word again, under another id each time, when it is asked for after the end', async () => {
    await stages().take(asking());
    await complete(asking(), 7);
    await stages().take(asking());
    await stages().take(asking());
    const all = await said();
    expect(all.map(({ payload }) => payload)).to.deep.equal(
      Array.from({ length: 3 }, () => ({ groupKey: 'a', attempt: 1, revision: 0, grams: 7 })),
    );
    expect(new Set(all.map(({ id }) => id)).size).to.equal(3);
    expect(all[0]?.id).to.equal('scales.weigh.completed.v1/a/1/0');
  });

  it('repeats a failure with its code and details', async () => {
    await stages().take(asking());
    await fail(asking());
    await stages().take(asking());
    const [, again] = await said();
    expect(again?.subject).to.equal('scales.weigh.failed.v1');
    expect(again?.payload).to.include({ code: 'too_heavy' }).and.have.deep.property('details', { by: 'far' });
  });

  it('ends once: what comes second is refused and says nothing', async () => {
    await stages().take(asking());
    expect(await Promise.all([complete(asking()), complete(asking()), fail(asking())])).to.have.members([
      true,
      false,
      false,
    ]);
    expect(await words()).to.have.lengthOf(1);
  });

  it('writes nothing where the transaction that ends it is rolled back', async () => {
    await stages().take(asking());
    await withTransaction(pool(), async (client) => {
      await stages().complete(client, asking(), { grams: 1 });
      throw new Error('the unit lost its lease');
    }).catch(() => 'as told');
    expect(await words()).to.deep.equal([]);
    expect(await stages().read(pool(), asking())).to.include({ state: 'open' });
  });

  it('keeps attempts apart', async () => {
    await stages().take(asking());
    await fail(asking());
    await stages().take(asking({ attempt: 2 }));
    expect(await complete(asking())).to.equal(false);
    expect(await complete(asking({ attempt: 2 }))).to.equal(true);
    expect(await words()).to.deep.equal(['failed', 'completed']);
  });

  it('cancels the other units of the attempt when it fails, and those of no other attempt', async () => {
    await stages().take(asking());
    await stages().take(asking({ attempt: 2 }));
    await fail(asking());
    expect(await units()).to.deep.equal(['pan cancelled', 'pan ready']);
  });

  it('does not wait for a unit that is being ended elsewhere while it fails', async () => {
    await stages().take(asking());
    const elsewhere = await pool().connect();
    await elsewhere.query(`BEGIN; UPDATE chassis.work SET state = 'done' WHERE group_key = 'a'`);
    expect(await fail(asking())).to.equal(true);
    await elsewhere.query('COMMIT');
    elsewhere.release();
  });

  it('closes what is cancelled: nothing enters, nothing is said, no asking opens it again', async () => {
    await stages().take(asking());
    await stages().cancel('a');
    await stages().take(asking());
    await stages().take(asking({ revision: 1 }));
    expect(await stages().enter(asking())).to.equal(undefined);
    expect(await complete(asking())).to.equal(false);
    expect(await units()).to.deep.equal(['pan cancelled']);
    expect(await words()).to.deep.equal([]);
  });

  it('opens nothing that is gone for ever', async () => {
    await addTombstone(pool(), 'a');
    await stages().take(asking());
    expect(await units()).to.deep.equal([]);
    expect(await stages().read(pool(), asking())).to.equal(undefined);
  });

  it('opens nothing that is being buried at this very moment', async () => {
    const grave = await pool().connect();
    await grave.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('a', 0))`);
    await addTombstone(grave, 'a');
    let done = false;
    const taken = stages()
      .take(asking())
      .then(() => (done = true));
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await until(async () => done || (await pool().query(waiting)).rowCount, { what: 'the asking waits or is done' });
    await grave.query('COMMIT');
    grave.release();
    await taken;
    expect(await units()).to.deep.equal([]);
  });

  it('reads the stage of a unit out of its row, revision 0 where none is said', () => {
    const unit = { groupKey: 'a', attempt: 2, id: 1, queue: 'q', unit: 'u', tenant: '', fence: 1, tries: 1 };
    const claimed = { ...unit, traceparent: null };
    expect(stageOfUnit({ ...claimed, payload: {} })).to.deep.equal({ groupKey: 'a', attempt: 2, revision: 0 });
    expect(stageOfUnit({ ...claimed, payload: { revision: 4 } })).to.include({ revision: 4 });
  });
});
