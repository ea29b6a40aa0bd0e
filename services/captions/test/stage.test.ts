/** What captions owes the rest of the house: its words, its answers, its patience with repeats, crashes and purges. */
import { expect } from 'chai';
import { until } from '@vds/shared/testing/until';
import { ask, asking, cancel, lastWord, newId, purge, stateIn, states, tally } from './catalog.ts';
import { refusal, tracksOf } from './clients.ts';
import { openEngineServer, type EngineServer } from './engine-server.ts';
import { openHouse, type House, type Worker } from './house.ts';
import { putRendition, silence } from './sounds.ts';

const all = { ready: 4, 'skipped no_path': 1 };

describe('captions', function () {
  this.timeout(90_000);
  let house: House;
  let engines: EngineServer;
  let worker: Worker;
  before(async () => {
    engines = await openEngineServer();
    const times = { WORK_LEASE: '2s', WORK_RENEW: '500ms', TIDY_AFTER: '1s', PURGE_AGAIN_AFTER: '1h' };
    house = await openHouse({ ...engines.settings, ...times });
    worker = await house.startWorker();
  });
  after(async () => {
    await house?.close();
    await engines?.stop();
  });

  /** A title that the engines hear two sentences in. */
  const title = async (videoId = newId()) => asking(videoId, await putRendition(house, videoId, [silence(12)]));
  const made = async () => {
    const asked = await title();
    await ask(house, asked);
    const state = stateIn(await lastWord(house, asked.videoId));
    return { ...asked, state };
  };
  const rows = async (table: string, videoId: string): Promise<number> =>
    (await house.pool.query(`SELECT 1 FROM ${table} WHERE video_id = $1`, [videoId])).rowCount ?? 0;

  /** Holds every call until `go` is called. */
  const holding = (): (() => void) => {
    const held = Promise.withResolvers<void>();
    engines.manners.hold = held.promise;
    return () => {
      engines.manners.hold = undefined;
      held.resolve();
    };
  };

  it('says that it has begun, every state once with its revision, and last that it is done', async () => {
    const { videoId, state } = await made();
    expect(tally(state)).to.deep.equal(all);
    const words = house.said.filter(({ payload }) => payload['videoId'] === videoId).map(({ subject }) => subject);
    expect(words.indexOf('captions.captions.started.v1')).to.be.at.most(1);
    expect(words.filter((word) => word.includes('started'))).to.have.length(1);
    expect(words.at(-1)).to.equal('captions.captions.completed.v1');
    const said = states(house, videoId);
    expect(said.map(({ revision }) => revision)).to.deep.equal(said.map((_state, index) => index + 1));
    expect(said.at(-1)).to.deep.equal(state);
    expect(state.transcriptRevision).to.equal(1);
    const answer = await tracksOf(worker, videoId);
    expect(answer).to.deep.include({ videoId, attempt: 1, state });
  });

  it('stores each ready track whole, with names and numbers kept', async () => {
    const { videoId, state } = await made();
    const keys = await house.keys(videoId);
    for (const { playlistKey = '', textKey = '', language } of state.tracks.filter((one) => one.status === 'ready')) {
      const folder = playlistKey.slice(0, playlistKey.lastIndexOf('/') + 1);
      expect(keys.filter((key) => key.startsWith(folder)).map((key) => key.slice(folder.length))).to.have.members([
        'captions.vtt',
        'index.m3u8',
        'seg-00000.vtt',
        'track.json',
      ]);
      const text = await house.read(textKey);
      expect(JSON.parse(text)).to.include({ version: 1, video_id: videoId, language });
      expect(text).to.include('Rosalind Franklin').and.include('24');
      const { metaData } = await house.captions.client.statObject(house.captions.bucket, playlistKey);
      expect(metaData).to.include({ 'content-type': 'application/vnd.apple.mpegurl' });
    }
    expect(state.tracks.find(({ language }) => language === 'pt')?.path).to.deep.equal(['en', 'pt']);
  });

  it('repeats its last word when it is asked again, and does nothing twice', async () => {
    const { state, ...asked } = await made();
    const { videoId } = asked;
    const [keys, calls] = [await house.keys(videoId), engines.calls.speech];
    await ask(house, asked);
    await until(() => house.of(videoId, 'captions.completed').length === 2, { what: 'the last word comes again' });
    expect(house.of(videoId, 'captions.completed').map(stateIn)).to.deep.equal([state, state]);
    expect(await house.keys(videoId)).to.deep.equal(keys);
    expect(engines.calls.speech).to.equal(calls);
  });

  it('hears a title once, however often it is asked for meanwhile', async () => {
    const before = engines.calls.speech;
    const asked = await title();
    const go = holding();
    await Promise.all([ask(house, asked), ask(house, asked), ask(house, asked)]);
    await until(() => engines.calls.speech > before, { what: 'it is being heard' });
    await ask(house, asked);
    go();
    expect(tally(stateIn(await lastWord(house, asked.videoId)))).to.deep.equal(all);
    expect(engines.calls.speech).to.equal(before + 1);
    expect(house.of(asked.videoId, 'captions.completed')).to.have.length(1);
  });

  it('leaves a track that the engine refuses failed, and every other one whole', async () => {
    engines.manners.refused = ['pt'];
    const { state } = await made().finally(() => (engines.manners.refused = []));
    expect(tally(state)).to.deep.equal({ ready: 3, 'failed engine_error': 1, 'skipped no_path': 1 });
  });

  it('has an empty transcript where nobody speaks', async () => {
    engines.manners.silent = true;
    const { state } = await made().finally(() => (engines.manners.silent = false));
    expect(tally(state)).to.deep.equal({ 'skipped no_speech': 4, 'skipped no_path': 1 });
    expect(JSON.parse(await house.read(state.transcriptKey ?? ''))).to.deep.include({ sentences: [] });
    expect(state.transcriptRevision).to.equal(1);
  });

  it('stops when the video is cancelled, and says no more of it', async () => {
    const before = engines.calls.speech;
    const asked = await title();
    const go = holding();
    await ask(house, asked);
    await until(() => engines.calls.speech > before, { what: 'it is being heard' });
    await cancel(house, asked.videoId);
    const running = `SELECT 1 FROM chassis.work WHERE group_key = $1 AND state IN ('ready', 'running')`;
    const isIdle = async () => (await house.pool.query(running, [asked.videoId])).rowCount === 0;
    await until(isIdle, { what: 'no unit of the video runs' });
    go();
    await made();
    expect(house.of(asked.videoId, 'captions.completed')).to.deep.equal([]);
    expect(await house.keys(asked.videoId)).to.deep.equal([]);
  });

  it('removes all that it keeps of a video, also in the middle of it, and refuses it from then on', async () => {
    const before = engines.calls.translations.length;
    const asked = await title();
    const { videoId } = asked;
    await ask(house, asked);
    const hasTracks = async () => engines.calls.translations.length > before && (await house.keys(videoId)).length > 0;
    await until(hasTracks, { what: 'it is being translated', everyMs: 5 });
    await house.captions.client.initiateNewMultipartUpload(house.captions.bucket, `videos/${videoId}/1/x.1/y`, {});
    await purge(house, videoId, 'PURGE_SCOPE_VIDEO');
    await until(() => house.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await house.keys(videoId)).to.deep.equal([]);
    expect(await house.uploads(videoId)).to.deep.equal([]);
    for (const table of ['titles', 'pieces']) expect(await rows(table, videoId), table).to.equal(0);
    const kept = await house.pool.query('SELECT group_key FROM chassis.tombstones WHERE group_key = $1', [videoId]);
    expect(kept.rowCount).to.equal(1);
    await ask(house, asked);
    await purge(house, videoId, 'PURGE_SCOPE_VIDEO');
    await until(() => house.of(videoId, 'video.purged').length === 2, { what: 'a repeated purge is confirmed again' });
    expect(await rows('titles', videoId)).to.equal(0);
    expect(await refusal(tracksOf(worker, videoId))).to.equal('NOT_FOUND');
  });

  it('removes earlier attempts and what was lost, and leaves the attempt that is kept', async () => {
    const { videoId, state } = await made();
    const kept = await house.keys(videoId);
    for (const lost of ['0/lay-0.1/track.json', '1/translate-0-es.9/index.m3u8', '2/lay-0.1/track.json'])
      await house.captions.client.putObject(house.captions.bucket, `videos/${videoId}/${lost}`, '{}');
    await purge(house, videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', 1);
    await until(() => house.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await house.keys(videoId)).to.have.members([...kept, `videos/${videoId}/2/lay-0.1/track.json`]);
    expect(await tracksOf(worker, videoId)).to.deep.include({ state });
  });

  it('fails only where the sound itself cannot be read', async () => {
    const once = await house.startWorker({ ENGINE_TRIES: '1', TRANSLATE_SLOTS: '0' });
    worker.process.kill('SIGTERM');
    const videoId = newId();
    await ask(house, asking(videoId, `videos/${videoId}/1/audio.1/a/index.m3u8`));
    const { subject, payload } = await lastWord(house, videoId);
    expect(subject).to.equal('captions.captions.failed.v1');
    expect(payload).to.include({ code: 'internal_error', revision: 0 });
    expect(tally(states(house, videoId).at(-1) ?? stateIn({ subject, id: '', payload }))).to.deep.equal({
      'failed engine_error': 5,
    });
    worker = await house.startWorker();
    once.process.kill('SIGTERM');
  });

  it('is finished by another process when one is killed in the middle, with one set of objects', async () => {
    const before = engines.calls.translations.length;
    const asked = await title();
    const go = holding();
    await ask(house, asked);
    await until(() => house.of(asked.videoId, 'captions.started')[0], { what: 'it has begun' });
    go();
    await until(() => engines.calls.translations.length > before, { what: 'translations have begun', everyMs: 1 });
    worker.process.kill('SIGKILL');
    const second = await house.startWorker();
    worker = await house.startWorker();
    const state = stateIn(await lastWord(house, asked.videoId));
    expect(tally(state)).to.deep.equal(all);
    const folders = new Set(
      state.tracks.flatMap(({ playlistKey }) => (playlistKey ? [playlistKey.split('/')[3]] : [])),
    );
    const isTidy = async () =>
      (await house.keys(asked.videoId)).every((key) => folders.has(key.split('/')[3] ?? '')) && folders.size === 4;
    await until(isTidy, { what: 'what the killed one left is gone' });
    expect(house.of(asked.videoId, 'captions.completed')).to.have.length(1);
    const revisions = states(house, asked.videoId).map(({ revision }) => revision);
    expect(revisions).to.deep.equal([...new Set(revisions)].sort((a, b) => a - b));
    second.process.kill('SIGTERM');
  });
});
