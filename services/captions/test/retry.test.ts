/** Engines that are unavailable, recover, or support more languages; and the operator's commands. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { ask, cancel, lastWord, purge, stateIn, states, tally } from './catalog.ts';
import { asStaff, refusal, tracksOf } from './clients.ts';
import type { Worker } from './harness.ts';
import { allMade, withServers, type WithServers } from './with-servers.ts';

describe('captions and engines that come and go', function () {
  this.timeout(90_000);
  let at: WithServers;
  let worker: Worker;
  before(async () => {
    at = await withServers();
    worker = at.workers()[0] ?? expect.fail('no replica');
  });

  const retry = (videoId: string, languages: string[] = []) =>
    asStaff(worker, (staff) => staff.RetryTracks({ videoId, languages, actor: 'ann', reason: 'the engine is back' }));
  const isQuiet = async (videoId: string): Promise<boolean> =>
    (await at.house.pool.query("SELECT 1 FROM caption_jobs WHERE video_id = $1 AND in_progress = '{}'", [videoId]))
      .rowCount === 1;
  const settled = async (videoId: string) => {
    await until(() => isQuiet(videoId), { what: 'every track has come to its end', capMs: 60_000 });
    return (await tracksOf(worker, videoId)).state ?? expect.fail('no state');
  };
  const shown = (state: Awaited<ReturnType<typeof settled>>) => tally(state as Parameters<typeof tally>[0]);

  it('survive an engine that is away for a while', async () => {
    for (const endpoint of ['speech', 'translation'] as const)
      at.engines.trouble({ endpoint, fault: { kind: 'status', status: 503 }, times: 3 });
    const before = at.engines.count('speech');
    const asked = await at.title();
    await ask(at.house, asked);
    expect(tally(stateIn(await lastWord(at.house, asked.videoId)))).to.deep.equal(allMade);
    // Three calls are one try of the job; another try followed.
    expect(at.engines.count('speech')).to.equal(before + 4);
  });

  it('fail the tracks of one that stays away, never the stage, and make them when it is back and asked for', async () => {
    await at.engines.close();
    [worker] = await Promise.all([at.replace(0), at.replace(1)]);
    await until(() => worker.output().includes('coverage is not known yet'), { what: 'it says that it cannot ask' });
    const asked = await at.title();
    await ask(at.house, asked);
    const { subject, payload } = await lastWord(at.house, asked.videoId);
    expect(subject).to.equal('captions.captions.completed.v1');
    const before = stateIn({ subject, id: '', payload });
    await at.engines.reopen();
    // German is not skipped: without the engine, it is not known that no route leads to it.
    expect(tally(before)).to.deep.equal({ 'failed engine_error': 5 });
    await retry(asked.videoId);
    await retry(asked.videoId);
    const state = await settled(asked.videoId);
    expect(shown(state)).to.deep.equal(allMade);
    expect(state.transcriptRevision).to.equal(1);
    await until(() => states(at.house, asked.videoId).at(-1)?.revision === state.revision, { what: 'it is said' });
    const revisions = states(at.house, asked.videoId).map(({ revision }) => revision);
    expect(revisions).to.deep.equal(revisions.map((_revision, index) => index + 1));
    expect(at.house.of(asked.videoId, 'captions.completed')).to.have.length(1);
  });

  it('make a track that had no way before as soon as the engine has one, and leave all others as they are', async () => {
    const before = [await at.made(), await at.made(), await at.made()];
    for (const { state } of before) expect(tally(state)).to.deep.equal(allMade);
    at.offer('en', 'es', 'pt', 'fr', 'de');
    // One replica knows the new route and has two slots: the other one, which does not know it yet, makes the third
    // track.
    const go = at.engines.hold('translation');
    try {
      for (const { videoId } of before) await retry(videoId);
      await until(() => at.engines.calls().filter(({ language }) => language === 'de').length === 3, {
        what: 'three tracks are translated',
      });
    } finally {
      go();
      at.engines.heal();
    }
    for (const { videoId, state: was } of before) {
      const state = await settled(videoId);
      expect(shown(state)).to.deep.equal({ ready: 5 });
      expect(state.tracks?.slice(0, 4)).to.deep.equal(was.tracks.slice(0, 4));
      expect(state.tracks?.at(-1)).to.deep.include({ language: 'de', path: ['en', 'de'] });
    }
    for (const one of at.workers()) await asStaff(one, (staff) => staff.ListLanguages({ refresh: true }));
  });

  it('keep a ready track playable until it is replaced, and remove the old one then', async () => {
    const { videoId, state: before } = await at.made();
    const old = before.tracks.find(({ language }) => language === 'es')?.playlistKey ?? '';
    const go = at.engines.hold('translation');
    await retry(videoId, ['es']);
    expect((await tracksOf(worker, videoId)).state).to.deep.equal(before);
    expect(await at.house.keys(videoId)).to.include(old);
    go();
    const state = await settled(videoId);
    const spanish = state.tracks?.find(({ language }) => language === 'es');
    expect(spanish?.playlistKey)
      .to.match(/translate-1-es\.\d+\/index\.m3u8$/)
      .and.not.equal(old);
    expect(state.revision).to.equal(before.revision + 1);
    await until(async () => !(await at.house.keys(videoId)).includes(old), { what: 'the old track is removed' });
    expect(await at.house.keys(videoId)).to.include(spanish?.playlistKey);
  });

  it('hear the speech anew where its own track is named', async () => {
    const { videoId, state: before } = await at.made();
    const calls = at.engines.count('speech');
    await retry(videoId, ['en']);
    const state = await settled(videoId);
    expect(at.engines.count('speech')).to.equal(calls + 1);
    expect(shown(state)).to.deep.equal(allMade);
    // The same words were transcribed: the transcript has another key but the same text.
    expect(state.transcriptKey).to.not.equal(before.transcriptKey);
    expect(state.transcriptRevision).to.equal(before.transcriptRevision);
  });

  it('are refused a retry that could make nothing, in words that help', async () => {
    const { videoId } = await at.made();
    expect(await refusal(retry('nobody'))).to.equal('NOT_FOUND');
    const error: unknown = await retry(videoId, ['xx']).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'FAILED_PRECONDITION' });
    expect(error).to.have.property('message', "the video has no track 'xx'; its tracks are en es pt fr de");
    const mute = { ...(await at.title()), hasAudio: false, audioPlaylistKey: '' };
    await ask(at.house, mute);
    await lastWord(at.house, mute.videoId);
    expect(await refusal(retry(mute.videoId))).to.equal('FAILED_PRECONDITION');
    await purge(at.house, videoId, 'PURGE_SCOPE_VIDEO');
    await until(() => at.house.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await refusal(retry(videoId))).to.equal('NOT_FOUND');
  });

  it('are not asked for a video that is being deleted', async () => {
    const asked = await at.title();
    const go = at.engines.hold('speech');
    await ask(at.house, asked);
    await until(() => at.house.of(asked.videoId, 'captions.started')[0], { what: 'it has begun' });
    await cancel(at.house, asked.videoId);
    const cancelled = "SELECT 1 FROM chassis.stages WHERE video_id = $1 AND state = 'cancelled'";
    const isCancelled = async () => (await at.house.pool.query(cancelled, [asked.videoId])).rowCount === 1;
    await until(isCancelled, { what: 'the stage is cancelled' });
    go();
    expect(await refusal(retry(asked.videoId))).to.equal('FAILED_PRECONDITION');
  });

  it('tell the operator what they can do, looked at anew on demand', async () => {
    const look = (refresh: boolean) => asStaff(worker, (staff) => staff.ListLanguages({ refresh }));
    const before = await look(true);
    expect(before).to.deep.include({
      speechEngine: 'openai',
      speechLanguages: ['en'],
      translationEngine: 'libretranslate',
      targets: ['en', 'es', 'pt', 'fr', 'de'],
    });
    const wayTo = (answer: typeof before, target: string) =>
      answer.routes?.find((route) => route.target === target)?.path;
    expect([wayTo(before, 'es'), wayTo(before, 'de')]).to.deep.equal([['en', 'es'], []]);
    at.offer('en', 'es', 'de');
    expect(wayTo(await look(false), 'de')).to.deep.equal([]);
    const after = await look(true).finally(at.engines.heal);
    expect(wayTo(after, 'de')).to.deep.equal(['en', 'de']);
    expect(wayTo(await look(true), 'de')).to.deep.equal([]);
    expect(Date.parse(after.checkedAt ?? '')).to.be.greaterThan(Date.parse(before.checkedAt ?? ''));
  });
});
