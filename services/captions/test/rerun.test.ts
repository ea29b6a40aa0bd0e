/** Engines that are unavailable, recover, or support more languages; and the operator's commands. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { publishRequest, cancel, terminalEvent, purge, stateOf, allStates, statusCounts } from './catalog.ts';
import { withAdminClient, rejectionCode, tracksOf } from './clients.ts';
import type { Worker } from './harness.ts';
import { usualOutcome, withServers, type WithServers } from './with-servers.ts';

describe('captions with unavailable engines, and reruns', function () {
  this.timeout(90_000);
  let setup: WithServers;
  let worker: Worker;
  before(async () => {
    setup = await withServers();
    worker = setup.workers()[0] ?? expect.fail('no replica');
  });

  const rerun = (videoId: string, languages: string[] = []) =>
    withAdminClient(worker, (client) =>
      client.RerunTracks({ videoId, languages, actor: 'ann', reason: 'the engine is back' }),
    );
  const isSettled = async (videoId: string): Promise<boolean> =>
    (await setup.harness.pool.query("SELECT 1 FROM caption_jobs WHERE video_id = $1 AND in_progress = '{}'", [videoId]))
      .rowCount === 1;
  const settled = async (videoId: string) => {
    await until(() => isSettled(videoId), { what: 'every track has ended', capMs: 60_000 });
    return (await tracksOf(worker, videoId)).state ?? expect.fail('no state');
  };
  const countsOf = (state: Awaited<ReturnType<typeof settled>>) =>
    statusCounts(state as Parameters<typeof statusCounts>[0]);

  it('captions survive an engine that is unavailable for a while', async () => {
    for (const endpoint of ['speech', 'translation'] as const)
      setup.engines.trouble({ endpoint, fault: { kind: 'status', status: 503 }, times: 3 });
    const before = setup.engines.count('speech');
    const request = await setup.newRequest();
    await publishRequest(setup.harness, request);
    expect(statusCounts(stateOf(await terminalEvent(setup.harness, request.videoId)))).to.deep.equal(usualOutcome);
    // Three calls are one try of the job; another try followed.
    expect(setup.engines.count('speech')).to.equal(before + 4);
  });

  it('an engine that stays unavailable fails tracks, never the stage, and a rerun makes them once it is back', async () => {
    const request = await setup.newRequest();
    let before: ReturnType<typeof stateOf>;
    await setup.engines.close();
    try {
      [worker] = await Promise.all([setup.replace(0), setup.replace(1)]);
      await until(() => worker.output().includes('coverage is not known yet'), {
        what: 'it reports that coverage is unknown',
      });
      await publishRequest(setup.harness, request);
      const { subject, payload } = await terminalEvent(setup.harness, request.videoId);
      expect(subject).to.equal('captions.captions.completed.v1');
      before = stateOf({ subject, id: '', payload });
    } finally {
      // Otherwise every later test would fail with this one.
      await setup.engines.reopen();
    }
    // German is not skipped: without the engine, it is not known that no route leads to it.
    expect(statusCounts(before)).to.deep.equal({ 'failed engine_error': 5 });
    await rerun(request.videoId);
    await rerun(request.videoId);
    const state = await settled(request.videoId);
    expect(countsOf(state)).to.deep.equal(usualOutcome);
    expect(state.transcriptRevision).to.equal(1);
    const states = await allStates(setup.harness, request.videoId, state.revision);
    expect(states.map(({ revision }) => revision)).to.deep.equal(states.map((_state, index) => index + 1));
    expect(setup.harness.of(request.videoId, 'captions.completed')).to.have.length(1);
  });

  it('a rerun makes a track as soon as the engine supports its route, and leaves all others unchanged', async () => {
    const before = [await setup.makeCaptions(), await setup.makeCaptions(), await setup.makeCaptions()];
    for (const { state } of before) expect(statusCounts(state)).to.deep.equal(usualOutcome);
    setup.offer('en', 'es', 'pt', 'fr', 'de');
    // One replica knows the new route and has two slots: the other one, which does not know it yet, makes the third
    // track.
    const release = setup.engines.hold('translation');
    try {
      for (const { videoId } of before) await rerun(videoId);
      await until(() => setup.engines.calls().filter(({ language }) => language === 'de').length === 3, {
        what: 'three tracks are translated',
      });
    } finally {
      release();
      setup.engines.heal();
    }
    for (const { videoId, state: earlier } of before) {
      const state = await settled(videoId);
      expect(countsOf(state)).to.deep.equal({ ready: 5 });
      expect(state.tracks?.slice(0, 4)).to.deep.equal(earlier.tracks.slice(0, 4));
      expect(state.tracks?.at(-1)).to.deep.include({ language: 'de', path: ['en', 'de'] });
    }
    for (const one of setup.workers()) await withAdminClient(one, (client) => client.ListLanguages({ refresh: true }));
  });

  it('a rerun keeps a ready track playable until it is replaced, and then removes the old one', async () => {
    const { videoId, state: before } = await setup.makeCaptions();
    const old = before.tracks.find(({ language }) => language === 'es')?.playlistKey ?? '';
    const release = setup.engines.hold('translation');
    await rerun(videoId, ['es']);
    expect((await tracksOf(worker, videoId)).state).to.deep.equal(before);
    expect(await setup.harness.keys(videoId)).to.include(old);
    release();
    const state = await settled(videoId);
    const spanish = state.tracks?.find(({ language }) => language === 'es');
    expect(spanish?.playlistKey)
      .to.match(/translate-1-es\.\d+-[0-9a-f]+\/index\.m3u8$/)
      .and.not.equal(old);
    expect(state.revision).to.equal(before.revision + 1);
    await until(async () => !(await setup.harness.keys(videoId)).includes(old), { what: 'the old track is removed' });
    expect(await setup.harness.keys(videoId)).to.include(spanish?.playlistKey);
  });

  it('a replaced track that catalog still uses is removed once catalog uses it no longer', async () => {
    const { videoId, state: before } = await setup.makeCaptions();
    const keys = before.tracks.flatMap(({ playlistKey }) => playlistKey ?? []);
    const old = before.tracks.find(({ language }) => language === 'es')?.playlistKey ?? '';
    const use = (captionKeys: string[]) => setup.harness.videosInUse.set(videoId, { captionKeys });
    use(keys);
    await rerun(videoId, ['es']);
    await settled(videoId);
    const collections = `SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND name LIKE 'collect-%' AND fence > 1`;
    await until(async () => ((await setup.harness.pool.query(collections, [videoId])).rowCount ?? 0) > 0, {
      what: 'a collection has waited',
    });
    expect(await setup.harness.keys(videoId)).to.include(old);
    use([]);
    await until(async () => !(await setup.harness.keys(videoId)).includes(old), { what: 'the old track is removed' });
  });

  it('a rerun of the spoken track transcribes the speech again', async () => {
    const { videoId, state: before } = await setup.makeCaptions();
    const calls = setup.engines.count('speech');
    await rerun(videoId, ['en']);
    const state = await settled(videoId);
    expect(setup.engines.count('speech')).to.equal(calls + 1);
    expect(countsOf(state)).to.deep.equal(usualOutcome);
    // The same words were transcribed: the transcript has another key but the same text.
    expect(state.transcriptKey).to.not.equal(before.transcriptKey);
    expect(state.transcriptRevision).to.equal(before.transcriptRevision);
  });

  it('a rerun that could make nothing is rejected with a helpful message', async () => {
    const { videoId } = await setup.makeCaptions();
    expect(await rejectionCode(rerun('nobody'))).to.equal('NOT_FOUND');
    const error: unknown = await rerun(videoId, ['xx']).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'FAILED_PRECONDITION' });
    expect(error).to.have.property('message', "the video has no track 'xx'; its tracks are en es pt fr de");
    const silent = { ...(await setup.newRequest()), hasAudio: false, audioPlaylistKey: '' };
    await publishRequest(setup.harness, silent);
    await terminalEvent(setup.harness, silent.videoId);
    expect(await rejectionCode(rerun(silent.videoId))).to.equal('FAILED_PRECONDITION');
    await purge(setup.harness, videoId, 'PURGE_SCOPE_VIDEO');
    await until(() => setup.harness.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await rejectionCode(rerun(videoId))).to.equal('NOT_FOUND');
  });

  it('a rerun of a video that is being deleted is rejected', async () => {
    const request = await setup.newRequest();
    const release = setup.engines.hold('speech');
    await publishRequest(setup.harness, request);
    await until(() => setup.harness.of(request.videoId, 'captions.started')[0], { what: 'the stage is started' });
    await cancel(setup.harness, request.videoId);
    const cancelled = "SELECT 1 FROM chassis.stages WHERE video_id = $1 AND state = 'cancelled'";
    const isCancelled = async () => (await setup.harness.pool.query(cancelled, [request.videoId])).rowCount === 1;
    await until(isCancelled, { what: 'the stage is cancelled' });
    release();
    expect(await rejectionCode(rerun(request.videoId))).to.equal('FAILED_PRECONDITION');
  });

  it('ListLanguages reports what the engines support, and queries them again on demand', async () => {
    const listLanguages = (refresh: boolean) => withAdminClient(worker, (client) => client.ListLanguages({ refresh }));
    const before = await listLanguages(true);
    expect(before).to.deep.include({
      speechEngine: 'openai',
      speechLanguages: ['en'],
      translationEngine: 'libretranslate',
      targets: ['en', 'es', 'pt', 'fr', 'de'],
    });
    const pathTo = (response: typeof before, target: string) =>
      response.routes?.find((route) => route.target === target)?.path;
    expect([pathTo(before, 'es'), pathTo(before, 'de')]).to.deep.equal([['en', 'es'], []]);
    setup.offer('en', 'es', 'de');
    expect(pathTo(await listLanguages(false), 'de')).to.deep.equal([]);
    const after = await listLanguages(true).finally(setup.engines.heal);
    expect(pathTo(after, 'de')).to.deep.equal(['en', 'de']);
    expect(pathTo(await listLanguages(true), 'de')).to.deep.equal([]);
    expect(Date.parse(after.checkedAt ?? '')).to.be.greaterThan(Date.parse(before.checkedAt ?? ''));
  });
});
