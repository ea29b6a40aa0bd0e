/** The stage's contract with the other services: events and RPC responses. */
import { expect } from 'chai';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { speechless } from '@vds/testkit/media/speechless';
import {
  publishRequest,
  requestFor,
  terminalEvent,
  stateOf,
  allStates,
  publishedStates,
  statusCounts,
} from './catalog.ts';
import { tracksOf } from './clients.ts';
import type { Worker } from './harness.ts';
import { putRendition, silence } from './sounds.ts';
import { usualOutcome, withServers, type WithServers } from './with-servers.ts';

describe('captions stage', function () {
  this.timeout(90_000);
  let setup: WithServers;
  let worker: Worker;
  before(async () => {
    setup = await withServers();
    worker = setup.workers()[0] ?? expect.fail('no replica');
  });

  it('the stage publishes its start once, every state once with its revision, and its completion once with the last', async () => {
    const { videoId, state } = await setup.makeCaptions();
    expect(statusCounts(state)).to.deep.equal(usualOutcome);
    const published = await allStates(setup.harness, videoId, state.revision);
    expect(published.map(({ revision }) => revision)).to.deep.equal(published.map((_state, index) => index + 1));
    expect(published.at(-1)).to.deep.equal(state);
    for (const once of ['captions.started', 'captions.completed'])
      expect(setup.harness.of(videoId, once), once).to.have.length(1);
    expect(state.transcriptRevision).to.equal(1);
    const response = await tracksOf(worker, videoId);
    expect(response).to.deep.include({ videoId, attempt: 1, state });
  });

  it('each ready track is stored complete, with names and numbers preserved', async () => {
    const { videoId, state } = await setup.makeCaptions();
    const keys = await setup.harness.keys(videoId);
    for (const { playlistKey = '', textKey = '', language } of state.tracks.filter((one) => one.status === 'ready')) {
      const folder = playlistKey.slice(0, playlistKey.lastIndexOf('/') + 1);
      expect(keys.filter((key) => key.startsWith(folder)).map((key) => key.slice(folder.length))).to.have.members([
        'captions.vtt',
        'index.m3u8',
        'seg-00000.vtt',
        'track.json',
      ]);
      const text = await setup.harness.read(textKey);
      expect(JSON.parse(text)).to.include({ version: 1, videoId, language });
      expect(text).to.include('Rosalind Franklin').and.include('24');
      const { metaData } = await setup.harness.captions.client.statObject(setup.harness.captions.bucket, playlistKey);
      expect(metaData).to.include({ 'content-type': 'application/vnd.apple.mpegurl' });
    }
    expect(state.tracks.find(({ language }) => language === 'pt')?.path).to.deep.equal(['en', 'pt']);
  });

  it('a translation that the engine rejects fails its own track and no other', async () => {
    setup.engines.trouble({ endpoint: 'translation', fault: { kind: 'status', status: 400 }, language: 'pt' });
    const { state } = await setup.makeCaptions().finally(setup.engines.heal);
    expect(statusCounts(state)).to.deep.equal({ ready: 3, 'failed engine_error': 1, 'skipped no_path': 1 });
  });

  it('a video without speech has an empty transcript', async () => {
    setup.engines.trouble({ endpoint: 'speech', fault: { kind: 'empty' } });
    const { state } = await setup.makeCaptions().finally(setup.engines.heal);
    expect(statusCounts(state)).to.deep.equal({ 'skipped no_speech': 4, 'skipped no_path': 1 });
    expect(JSON.parse(await setup.harness.read(state.transcriptKey ?? ''))).to.deep.include({ sentences: [] });
    expect(state.transcriptRevision).to.equal(1);
  });

  it('captions of sports name music between the speech, in the language of each track, and others do not', async () => {
    const music = `${speechless['chords']}:d=7`;
    const key = await putRendition(setup.harness, newVideoId(), [silence(5), music]);
    const captionsOf = async (category: string): Promise<string[]> => {
      const request = requestFor(newVideoId(), key, { category });
      await publishRequest(setup.harness, request);
      const { tracks } = stateOf(await terminalEvent(setup.harness, request.videoId));
      const ready = tracks.filter(({ status, language }) => status === 'ready' && ['en', 'es'].includes(language));
      return Promise.all(
        ready.map(({ playlistKey = '' }) => setup.harness.read(playlistKey.replace('index.m3u8', 'captions.vtt'))),
      );
    };
    const [english, spanish] = await captionsOf('sports');
    expect(english).to.match(/wild\.\n[^]*--> [^\n]+\n\[music\]\n$/);
    expect(spanish).to.match(/--> [^\n]+\n\[música\]\n$/);
    for (const text of await captionsOf('news')) expect(text).not.to.match(/\[m[uú]s/);
  });

  it('the stage fails only where the sound itself cannot be read', async () => {
    const videoId = newVideoId();
    await publishRequest(setup.harness, requestFor(videoId, `videos/${videoId}/1/audio.1/a/index.m3u8`));
    const { subject, payload } = await terminalEvent(setup.harness, videoId);
    expect(subject).to.equal('captions.captions.failed.v1');
    expect(payload).to.include({ code: 'internal_error', revision: 0 });
    expect(
      statusCounts(publishedStates(setup.harness, videoId).at(-1) ?? stateOf({ subject, id: '', payload })),
    ).to.deep.equal({
      'failed engine_error': 5,
    });
  });
});
