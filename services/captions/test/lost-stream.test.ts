/** Events that catalog has not consumed when JetStream loses its store are republished. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { publishedStates, statusCounts } from './catalog.ts';
import { withAdminClient } from './clients.ts';
import { usualOutcome, withServers, type WithServers } from './with-servers.ts';

describe('captions after a lost stream', function () {
  this.timeout(90_000);
  let setup: WithServers;
  before(async () => {
    setup = await withServers();
  });

  /** How often the newest state of a video was published. */
  const timesPublished = (videoId: string): number => {
    const published = publishedStates(setup.harness, videoId);
    const newest = Math.max(...published.map(({ revision }) => revision));
    return published.filter(({ revision }) => revision === newest).length;
  };
  /** Copies this video's rows for so many other videos. */
  const addCopies = (videoId: string, copies: number) =>
    setup.harness.pool.query(
      `INSERT INTO caption_jobs (video_id, attempt, publisher_id, language, duration_ms, has_audio, audio_playlist_key, state)
       SELECT $1 || n, attempt, publisher_id, language, duration_ms, has_audio, audio_playlist_key, state
       FROM caption_jobs, generate_series(1, $2) AS n WHERE video_id = $1`,
      [videoId, copies],
    );

  it('a lost stream has the recently changed track states republished, even of stages that ended long ago', async () => {
    const [old, made] = [await setup.makeCaptions(), await setup.makeCaptions()];
    const [worker] = setup.workers();
    const before = made.state.revision;
    const rerun = { videoId: made.videoId, languages: ['es'], actor: 'ann', reason: 'a better engine' };
    await withAdminClient(worker ?? expect.fail('no replica'), (client) => client.RerunTracks(rerun));
    await until(() => publishedStates(setup.harness, made.videoId).at(-1)?.revision === before + 1, {
      what: 'the rerun is published',
    });
    await setup.harness.pool.query(
      "UPDATE caption_jobs SET updated_at = now() - interval '25 hours' WHERE video_id = $1",
      [old.videoId],
    );
    await addCopies(made.videoId, 120);

    await setup.harness.nats.wipe();
    await until(() => timesPublished(made.videoId) === 2, { what: 'the state is republished', capMs: 60_000 });
    const copies = Array.from({ length: 120 }, (_, index) => `${made.videoId}${index + 1}`);
    await until(() => copies.every((id) => timesPublished(id) === 1), {
      what: 'every state is published',
      capMs: 60_000,
    });
    expect(timesPublished(old.videoId)).to.equal(1);
    expect(setup.harness.of(made.videoId, 'captions.completed')).to.have.length(1);
    // The test must recreate catalog's stream: later videos need it.
    await until(() => setup.harness.bus.jsm.streams.info('CATALOG'), { what: 'the stream of catalog' });
    expect(statusCounts((await setup.makeCaptions()).state)).to.deep.equal(usualOutcome);
  });

  it('a stream that was rolled back has the states republished that changed after its stage had ended', async () => {
    const made = await setup.makeCaptions();
    const [worker] = setup.workers();
    const rollBack = await setup.harness.nats.copyStore();
    const rerun = { videoId: made.videoId, languages: ['es'], actor: 'ann', reason: 'a better engine' };
    await withAdminClient(worker ?? expect.fail('no replica'), (client) => client.RerunTracks(rerun));
    await until(() => publishedStates(setup.harness, made.videoId).at(-1)?.revision === made.state.revision + 1, {
      what: 'the rerun is published',
    });
    expect(timesPublished(made.videoId)).to.equal(1);
    await rollBack();
    await until(() => timesPublished(made.videoId) === 2, { what: 'the state is republished', capMs: 60_000 });
  });
});
