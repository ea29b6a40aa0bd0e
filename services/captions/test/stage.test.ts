/** The stage's contract with the other services: events, RPC responses, repeated requests and crashes. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { ask, asking, cancel, lastWord, stateIn, states, tally } from './catalog.ts';
import { tracksOf } from './clients.ts';
import type { Worker } from './harness.ts';
import { allMade, withServers, type WithServers } from './with-servers.ts';

describe('captions', function () {
  this.timeout(90_000);
  let at: WithServers;
  let worker: Worker;
  before(async () => {
    at = await withServers();
    worker = at.workers()[0] ?? expect.fail('no replica');
  });

  it('says that it has begun, every state once with its revision, and last that it is done', async () => {
    const { videoId, state } = await at.made();
    expect(tally(state)).to.deep.equal(allMade);
    const words = at.house.published
      .filter(({ payload }) => payload['videoId'] === videoId)
      .map(({ subject }) => subject);
    expect(words.indexOf('captions.captions.started.v1')).to.be.at.most(1);
    expect(words.filter((word) => word.includes('started'))).to.have.length(1);
    expect(words.at(-1)).to.equal('captions.captions.completed.v1');
    const said = states(at.house, videoId);
    expect(said.map(({ revision }) => revision)).to.deep.equal(said.map((_state, index) => index + 1));
    expect(said.at(-1)).to.deep.equal(state);
    expect(state.transcriptRevision).to.equal(1);
    const answer = await tracksOf(worker, videoId);
    expect(answer).to.deep.include({ videoId, attempt: 1, state });
  });

  it('stores each ready track whole, with names and numbers kept', async () => {
    const { videoId, state } = await at.made();
    const keys = await at.house.keys(videoId);
    for (const { playlistKey = '', textKey = '', language } of state.tracks.filter((one) => one.status === 'ready')) {
      const folder = playlistKey.slice(0, playlistKey.lastIndexOf('/') + 1);
      expect(keys.filter((key) => key.startsWith(folder)).map((key) => key.slice(folder.length))).to.have.members([
        'captions.vtt',
        'index.m3u8',
        'seg-00000.vtt',
        'track.json',
      ]);
      const text = await at.house.read(textKey);
      expect(JSON.parse(text)).to.include({ version: 1, videoId, language });
      expect(text).to.include('Rosalind Franklin').and.include('24');
      const { metaData } = await at.house.captions.client.statObject(at.house.captions.bucket, playlistKey);
      expect(metaData).to.include({ 'content-type': 'application/vnd.apple.mpegurl' });
    }
    expect(state.tracks.find(({ language }) => language === 'pt')?.path).to.deep.equal(['en', 'pt']);
  });

  it('repeats its last word when it is asked again, and does nothing twice', async () => {
    const { state, ...asked } = await at.made();
    const { videoId } = asked;
    const [keys, calls] = [await at.house.keys(videoId), at.engines.count('speech')];
    await ask(at.house, asked);
    await until(() => at.house.of(videoId, 'captions.completed').length === 2, { what: 'the last word comes again' });
    expect(at.house.of(videoId, 'captions.completed').map(stateIn)).to.deep.equal([state, state]);
    expect(await at.house.keys(videoId)).to.deep.equal(keys);
    expect(at.engines.count('speech')).to.equal(calls);
  });

  it('hears a title once, however often it is asked for meanwhile', async () => {
    const before = at.engines.count('speech');
    const asked = await at.title();
    const go = at.engines.hold('speech');
    await Promise.all([ask(at.house, asked), ask(at.house, asked), ask(at.house, asked)]);
    await until(() => at.engines.count('speech') > before, { what: 'it is being heard' });
    await ask(at.house, asked);
    go();
    expect(tally(stateIn(await lastWord(at.house, asked.videoId)))).to.deep.equal(allMade);
    expect(at.engines.count('speech')).to.equal(before + 1);
    expect(at.house.of(asked.videoId, 'captions.completed')).to.have.length(1);
  });

  it('leaves a track that the engine refuses failed, and every other one whole', async () => {
    at.engines.trouble({ endpoint: 'translation', fault: { kind: 'status', status: 400 }, language: 'pt' });
    const { state } = await at.made().finally(at.engines.heal);
    expect(tally(state)).to.deep.equal({ ready: 3, 'failed engine_error': 1, 'skipped no_path': 1 });
  });

  it('has an empty transcript where nobody speaks', async () => {
    at.engines.trouble({ endpoint: 'speech', fault: { kind: 'empty' } });
    const { state } = await at.made().finally(at.engines.heal);
    expect(tally(state)).to.deep.equal({ 'skipped no_speech': 4, 'skipped no_path': 1 });
    expect(JSON.parse(await at.house.read(state.transcriptKey ?? ''))).to.deep.include({ sentences: [] });
    expect(state.transcriptRevision).to.equal(1);
  });

  it('stops when the video is cancelled, and says no more of it', async () => {
    const before = at.engines.count('speech');
    const asked = await at.title();
    const go = at.engines.hold('speech');
    await ask(at.house, asked);
    await until(() => at.engines.count('speech') > before, { what: 'it is being heard' });
    await cancel(at.house, asked.videoId);
    const running = `SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND state IN ('ready', 'running')`;
    const isIdle = async () => (await at.house.pool.query(running, [asked.videoId])).rowCount === 0;
    await until(isIdle, { what: 'no job of the video runs' });
    go();
    await at.made();
    expect(at.house.of(asked.videoId, 'captions.completed')).to.deep.equal([]);
    expect(await at.house.keys(asked.videoId)).to.deep.equal([]);
  });

  it('fails only where the sound itself cannot be read', async () => {
    const videoId = newVideoId();
    await ask(at.house, asking(videoId, `videos/${videoId}/1/audio.1/a/index.m3u8`));
    const { subject, payload } = await lastWord(at.house, videoId);
    expect(subject).to.equal('captions.captions.failed.v1');
    expect(payload).to.include({ code: 'internal_error', revision: 0 });
    expect(tally(states(at.house, videoId).at(-1) ?? stateIn({ subject, id: '', payload }))).to.deep.equal({
      'failed engine_error': 5,
    });
  });

  it('is finished by another process when one is killed in the middle, with one set of objects', async () => {
    const before = at.engines.count('translation');
    const asked = await at.title();
    const go = at.engines.hold('translation');
    await ask(at.house, asked);
    // Two slots per replica: when three jobs run, each replica has at least one.
    await until(() => at.engines.count('translation') === before + 3, { what: 'both replicas translate' });
    at.workers()[0]?.process.kill('SIGKILL');
    go();
    // An incomplete track, as a killed process leaves it.
    const half = `videos/${asked.videoId}/1/translate-0-es.0/seg-00000.vtt`;
    await at.house.captions.client.putObject(at.house.captions.bucket, half, 'WEBVTT');
    const state = stateIn(await lastWord(at.house, asked.videoId));
    expect(tally(state)).to.deep.equal(allMade);
    const folders = new Set(
      state.tracks.flatMap(({ playlistKey }) => (playlistKey ? [playlistKey.split('/')[3]] : [])),
    );
    const isTidy = async () =>
      (await at.house.keys(asked.videoId)).every((key) => folders.has(key.split('/')[3] ?? '')) && folders.size === 4;
    await until(isTidy, { what: 'what the killed one left is gone' });
    expect(at.house.of(asked.videoId, 'captions.completed')).to.have.length(1);
    const revisions = states(at.house, asked.videoId).map(({ revision }) => revision);
    expect(revisions).to.deep.equal([...new Set(revisions)].sort((a, b) => a - b));
  });
});
