/** Events that catalog has not consumed when JetStream loses its store are republished. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { states, tally } from './catalog.ts';
import { asStaff } from './clients.ts';
import { allMade, withServers, type WithServers } from './with-servers.ts';

describe('captions and a stream that is lost', function () {
  this.timeout(90_000);
  let at: WithServers;
  before(async () => {
    at = await withServers();
  });

  /** How often the newest state of a video was published. */
  const timesSaid = (videoId: string): number => {
    const said = states(at.house, videoId);
    const newest = Math.max(...said.map(({ revision }) => revision));
    return said.filter(({ revision }) => revision === newest).length;
  };
  /** Copies this video's rows for so many other videos. */
  const addCopies = (videoId: string, copies: number) =>
    at.house.pool.query(
      `INSERT INTO caption_jobs (video_id, attempt, publisher_id, language, duration_ms, has_audio, audio_playlist_key, state)
       SELECT $1 || n, attempt, publisher_id, language, duration_ms, has_audio, audio_playlist_key, state
       FROM caption_jobs, generate_series(1, $2) AS n WHERE video_id = $1`,
      [videoId, copies],
    );

  it('says again how the tracks of every video are that changed lately, also long after their stages have ended', async () => {
    const [old, made] = [await at.made(), await at.made()];
    const [worker] = at.workers();
    const before = made.state.revision;
    const order = { videoId: made.videoId, languages: ['es'], actor: 'ann', reason: 'a better engine' };
    await asStaff(worker ?? expect.fail('no replica'), (staff) => staff.RetryTracks(order));
    await until(() => states(at.house, made.videoId).at(-1)?.revision === before + 1, { what: 'the retry is said' });
    await at.house.pool.query("UPDATE caption_jobs SET updated_at = now() - interval '25 hours' WHERE video_id = $1", [
      old.videoId,
    ]);
    await addCopies(made.videoId, 120);

    await at.house.nats.wipe();
    await until(() => timesSaid(made.videoId) === 2, { what: 'the state is said again', capMs: 60_000 });
    const copies = Array.from({ length: 120 }, (_, index) => `${made.videoId}${index + 1}`);
    await until(() => copies.every((id) => timesSaid(id) === 1), { what: 'every state is said', capMs: 60_000 });
    expect(timesSaid(old.videoId)).to.equal(1);
    expect(at.house.of(made.videoId, 'captions.completed')).to.have.length(1);
    // The test must recreate catalog's stream: later videos need it.
    await until(() => at.house.bus.jsm.streams.info('CATALOG'), { what: 'the stream of what captions hears' });
    expect(tally((await at.made()).state)).to.deep.equal(allMade);
  });
});
