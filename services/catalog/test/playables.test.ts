/** What playback is told while the database is away. */
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { startHarness, type House } from './harness.ts';
import { actOn, type Acting } from './partner.ts';

/** Shuts the database: connections of catalog end, and none is let in. */
async function shut({ database }: House): Promise<void> {
  const admin = new pg.Client({ ...database.poolConfig, database: 'postgres' });
  await admin.connect();
  const name = database.poolConfig.database;
  await admin.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} ALLOW_CONNECTIONS false`);
  const ending = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'catalog'`;
  await admin.query(ending, [name]);
  await admin.end();
}

async function letIn({ database }: House): Promise<void> {
  const admin = new pg.Client({ ...database.poolConfig, database: 'postgres' });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${pg.escapeIdentifier(database.poolConfig.database)} ALLOW_CONNECTIONS true`);
  await admin.end();
}

describe('playback while the database is away', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await startHarness({}, 2);
    act = actOn(house);
  });
  afterEach(() => letIn(house));
  after(() => house.close());

  /** Asks one replica, by its number. */
  const ask = async (replica: number, playbackId: string) => {
    const door = house.processes[replica];
    if (!door) throw new Error(`there is no replica ${replica}`);
    return door.as('playback').ResolvePlayback({ playbackId });
  };
  const readyVideo = async () => {
    const { id, publisherId } = await act.ready();
    const { playbackId } = await act.get({ id, publisherId });
    return { id, publisherId, playbackId: playbackId ?? '' };
  };

  const saidAll = () =>
    until(async () => (await house.pool.query('SELECT 1 FROM chassis.outbox')).rowCount === 0, { what: 'all is said' });

  it('is told what was read last and how old that is, and the truth as soon as it can be read', async () => {
    const { id, playbackId } = await readyVideo();
    const before = await ask(0, playbackId);
    expect(before).to.include({ videoId: id, state: 'VIDEO_STATE_READY', ageMs: 0 });
    await shut(house);
    const { ageMs, ...meanwhile } = await ask(0, playbackId);
    expect(ageMs).to.be.greaterThan(0);
    expect({ ...meanwhile, ageMs: 0 }).to.deep.equal(before);
    await letIn(house);
    await until(async () => (await ask(0, playbackId)).ageMs === 0, { what: 'the truth' });
  });

  it('is told nothing by a replica that never read of the video', async () => {
    const { playbackId } = await readyVideo();
    await ask(0, playbackId);
    await shut(house);
    const refused = await ask(1, playbackId).catch((error: unknown) => error);
    // The one code for which playback asks the next replica.
    expect(refused).to.have.property('code', 'UNAVAILABLE');
  });

  it('is not told what another replica has changed since', async () => {
    const video = await readyVideo();
    await ask(0, video.playbackId);
    await house.processes[1]?.as('gateway').DeleteVideo({ id: video.id, publisherId: video.publisherId });
    await saidAll();
    await shut(house);
    const refuses = () =>
      ask(0, video.playbackId).then(
        () => false,
        () => true,
      );
    await until(refuses, { what: 'the replica to have heard of the change' });
  });

  it('is told the truth again soon after connections to the database were lost without a word', async () => {
    const wire = await openCuttingProxy();
    const database = new URL(house.database.url);
    wire.aim(Number(database.port));
    database.port = String(wire.port);
    const replica = await house.start({ DATABASE_URL: database.href });
    try {
      const { playbackId } = await readyVideo();
      const age = async () => (await replica.as('playback').ResolvePlayback({ playbackId })).ageMs;
      expect(await age()).to.equal(0);
      wire.mute();
      wire.unmuteNew();
      expect(await age()).to.be.greaterThan(0);
      await until(async () => (await age()) === 0, { what: 'the truth' });
    } finally {
      await replica.kill9();
      await wire.close();
    }
  }).timeout(90_000);

  it('is not told what the very replica has changed since, before anything of it is said', async () => {
    const video = await readyVideo();
    await ask(0, video.playbackId);
    await house.nats.stop();
    try {
      await house.processes[0]?.as('gateway').DeleteVideo({ id: video.id, publisherId: video.publisherId });
      await shut(house);
      expect(await ask(0, video.playbackId).catch((error: unknown) => error)).to.have.property('code', 'UNAVAILABLE');
    } finally {
      await house.nats.restart();
    }
  });
});
