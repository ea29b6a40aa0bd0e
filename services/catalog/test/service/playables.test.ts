/** What playback gets while the database is unavailable. */
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { startHarness, type Harness } from './harness.ts';
import { actOn, type Acting } from './partner.ts';

/** Shuts the database: connections of catalog end, and none is let in. */
async function shut({ database }: Harness): Promise<void> {
  const admin = new pg.Client({ ...database.poolConfig, database: 'postgres' });
  await admin.connect();
  const name = database.poolConfig.database;
  await admin.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} ALLOW_CONNECTIONS false`);
  const ending = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'catalog'`;
  await admin.query(ending, [name]);
  await admin.end();
}

async function letIn({ database }: Harness): Promise<void> {
  const admin = new pg.Client({ ...database.poolConfig, database: 'postgres' });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${pg.escapeIdentifier(database.poolConfig.database)} ALLOW_CONNECTIONS true`);
  await admin.end();
}

describe('playback while the database is away', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await startHarness({}, 2);
    act = actOn(harness);
  });
  afterEach(() => letIn(harness));
  after(() => harness.close());

  /** Calls one replica, by its number. */
  const resolve = async (replica: number, playbackId: string) => {
    const process = harness.processes[replica];
    if (!process) throw new Error(`there is no replica ${replica}`);
    return process.as('playback').ResolvePlayback({ playbackId });
  };
  const readyVideo = async () => {
    const { id, publisherId } = await act.ready();
    const { playbackId } = await act.get({ id, publisherId });
    return { id, publisherId, playbackId: playbackId ?? '' };
  };

  const saidAll = () =>
    until(async () => (await harness.pool.query('SELECT 1 FROM chassis.outbox')).rowCount === 0, {
      what: 'all events are published',
    });

  it('playback gets the cached video and its age while the database is away, and the current one as soon as it is back', async () => {
    const { id, playbackId } = await readyVideo();
    const before = await resolve(0, playbackId);
    expect(before).to.include({ videoId: id, state: 'VIDEO_STATE_READY', ageMs: 0 });
    await shut(harness);
    const { ageMs, ...meanwhile } = await resolve(0, playbackId);
    expect(ageMs).to.be.greaterThan(0);
    expect({ ...meanwhile, ageMs: 0 }).to.deep.equal(before);
    await letIn(harness);
    await until(async () => (await resolve(0, playbackId)).ageMs === 0, { what: 'a current reply' });
  });

  it('a replica that has not cached a video is unavailable for it while the database is away', async () => {
    const { playbackId } = await readyVideo();
    await resolve(0, playbackId);
    await shut(harness);
    const rejected = await resolve(1, playbackId).catch((error: unknown) => error);
    // The one code for which playback calls the next replica.
    expect(rejected).to.have.property('code', 'UNAVAILABLE');
  });

  it('a video that another replica has changed is not served from the cache', async () => {
    const video = await readyVideo();
    await resolve(0, video.playbackId);
    await harness.processes[1]?.as('gateway').DeleteVideo({ id: video.id, publisherId: video.publisherId });
    await saidAll();
    await shut(harness);
    const isUnavailable = () =>
      resolve(0, video.playbackId).then(
        () => false,
        () => true,
      );
    await until(isUnavailable, { what: 'the replica drops its entry' });
  });

  it('playback gets current videos again soon after connections to the database were lost silently', async () => {
    const proxy = await openCuttingProxy();
    const database = new URL(harness.database.url);
    proxy.forwardTo(Number(database.port));
    database.port = String(proxy.port);
    const replica = await harness.start({ DATABASE_URL: database.href });
    try {
      const { playbackId } = await readyVideo();
      const age = async () => (await replica.as('playback').ResolvePlayback({ playbackId })).ageMs;
      expect(await age()).to.equal(0);
      proxy.dropResponses();
      proxy.passNewConnections();
      expect(await age()).to.be.greaterThan(0);
      await until(async () => (await age()) === 0, { what: 'a current reply' });
    } finally {
      await replica.kill9();
      await proxy.close();
    }
  }).timeout(90_000);

  it('a video that this replica has changed is not served from its cache, even before the event is published', async () => {
    const video = await readyVideo();
    await resolve(0, video.playbackId);
    await harness.nats.stop();
    try {
      await harness.processes[0]?.as('gateway').DeleteVideo({ id: video.id, publisherId: video.publisherId });
      await shut(harness);
      expect(await resolve(0, video.playbackId).catch((error: unknown) => error)).to.have.property(
        'code',
        'UNAVAILABLE',
      );
    } finally {
      await harness.nats.restart();
    }
  });
});
