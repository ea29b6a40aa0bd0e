/** Corrections of the staff: judged by the files that a player reads, and by what the engines are asked. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { trackDocument } from '@vds/proto/documents/track';
import { publishedStates, publishRequest, purge, terminalEvent, stateOf } from './catalog.ts';
import { rejectionCode, tracksOf, withAdminClient } from './clients.ts';
import type { Worker } from './harness.ts';
import { withServers, type WithServers } from './with-servers.ts';

const SUBRIP = `1
00:00:01,000 --> 00:00:03,000
Serena Williams <i>serves</i> & wins
49 matches.

2
00:00:04,000 --> 00:00:06,000
The crowd cheers.

3
00:00:07,000 --> 00:00:08,500
[crowd noise]
`;

describe('corrections of captions', function () {
  this.timeout(60_000);
  let setup: WithServers;
  let worker: Worker;
  before(async () => {
    setup = await withServers();
    worker = setup.workers()[0] ?? expect.fail('no replica');
  });

  type Change = { readonly file: string } | { readonly fix: { number?: number; atMs?: number; text: string } };
  const correct = (videoId: string, language: string, change: Change, validateOnly = false) =>
    withAdminClient(worker, (client) =>
      client.CorrectTrack({ videoId, language, ...change, validateOnly, actor: 'ann', reason: 'a wrong name' }),
    );
  const rerun = (videoId: string, languages: string[], overwriteCorrected = false) =>
    withAdminClient(worker, (client) =>
      client.RerunTracks({ videoId, languages, overwriteCorrected, actor: 'ann', reason: 'engines' }),
    );
  const read = (videoId: string, language: string) =>
    withAdminClient(worker, (client) => client.ReadTrack({ videoId, language }));
  const state = async (videoId: string) => (await tracksOf(worker, videoId)).state ?? expect.fail('no state');
  const trackIn = async (videoId: string, language: string) =>
    (await state(videoId)).tracks?.find((track) => track.language === language) ?? expect.fail(language);
  const vtt = async (videoId: string, language: string) =>
    setup.harness.read(((await trackIn(videoId, language)).playlistKey ?? '').replace('index.m3u8', 'captions.vtt'));
  const settled = (videoId: string) =>
    until(
      async () =>
        (
          await setup.harness.pool.query(`SELECT 1 FROM caption_jobs WHERE video_id = $1 AND in_progress = '{}'`, [
            videoId,
          ])
        ).rowCount === 1,
      { what: 'every track has ended' },
    );

  it('a replaced spoken track reaches the files of players and of search, and every translation', async () => {
    const { videoId, state: before } = await setup.makeCaptions();
    const heard = setup.engines.count('speech');
    await correct(videoId, 'en', { file: SUBRIP });
    await settled(videoId);
    expect(await vtt(videoId, 'en'))
      .to.include('00:00:01.000 --> 00:00:03.000\nSerena Williams serves &amp; wins\n49 matches.')
      .and.not.include('Rosalind');
    expect(await vtt(videoId, 'fr'))
      .to.include('Serena Williams')
      .and.include('49')
      .and.not.include('Rosalind');
    const after = await state(videoId);
    const transcript = trackDocument.read(Buffer.from(await setup.harness.read(after.transcriptKey ?? '')));
    expect(transcript.sentences.map(({ text }) => text)).to.deep.equal([
      'Serena Williams serves & wins 49 matches.',
      'The crowd cheers.',
    ]);
    expect(transcript.sounds).to.deep.equal([{ kind: 'crowd', startMs: 7_000, endMs: 8_500 }]);
    expect(after.transcriptRevision).to.equal(before.transcriptRevision + 1);
    expect(after.tracks?.map(({ correctedBy }) => correctedBy)).to.deep.equal(['ann', '', '', '', '']);
    expect(setup.engines.count('speech')).to.equal(heard);
    await until(() => publishedStates(setup.harness, videoId).some(({ revision }) => revision === after.revision), {
      what: 'catalog gets the last state',
    });
    const old = before.tracks.flatMap(({ playlistKey }) => playlistKey ?? []);
    await until(async () => (await setup.harness.keys(videoId)).every((key) => !old.includes(key)), {
      what: 'the old tracks are removed',
    });
  });

  it('a fix replaces the text of one cue, by its time or its number, and leaves the others as they are', async () => {
    const { videoId } = await setup.makeCaptions();
    const { cues: before, track } = await read(videoId, 'es');
    expect(track).to.include({ language: 'es', status: 'ready' });
    const at = Number(before[0]?.startMs);
    await correct(videoId, 'es', { fix: { atMs: at, text: 'Hoy <b>Rosalind</b> Franklin & todos' } });
    await settled(videoId);
    const { cues: after } = await read(videoId, 'es');
    expect(after[0]).to.deep.equal({ ...before[0], lines: ['Hoy <b>Rosalind</b> Franklin & todos'] });
    expect(after.slice(1)).to.deep.equal(before.slice(1));
    await correct(videoId, 'es', { fix: { number: 1, text: 'Otra vez' } });
    await settled(videoId);
    expect((await read(videoId, 'es')).cues?.[0]?.lines).to.deep.equal(['Otra vez']);
    expect(await rejectionCode(correct(videoId, 'es', { fix: { number: 99, text: 'x' } }))).to.equal('NOT_FOUND');
  });

  it('names that the staff spells anew are told to the recogniser with later videos of the same publisher', async () => {
    // Not that of the other tests, whose videos would be heard with the new name.
    const request = await setup.newRequest();
    const { videoId } = request;
    await publishRequest(setup.harness, request, 'publisher-of-names');
    await terminalEvent(setup.harness, videoId);
    const { cues } = await read(videoId, 'en');
    const text = (cues[0]?.lines ?? []).join(' ').replace('Rosalind Franklin', 'Rosalynd Franklyn');
    await correct(videoId, 'en', { fix: { number: 1, text } });
    await settled(videoId);
    const corrected = await until(() => setup.harness.of(videoId, 'track.corrected')[0], { what: 'the correction' });
    expect(corrected.payload).to.include({ language: 'en', cue: 1, actor: 'ann', reason: 'a wrong name' });
    expect(corrected.payload['revision']).to.equal(Number(corrected.payload['wasRevision']) + 1);
    const promptFor = async (publisherId: string): Promise<string> => {
      const earlier = setup.engines.calls().length;
      const later = await setup.newRequest();
      await publishRequest(setup.harness, later, publisherId);
      await terminalEvent(setup.harness, later.videoId);
      const calls = setup.engines.calls().slice(earlier);
      return JSON.stringify(
        calls.filter(({ endpoint }) => endpoint === 'speech').map(({ fields }) => fields['prompt']),
      );
    };
    expect(await promptFor('publisher-of-names')).to.include('Rosalynd Franklyn');
    expect(await promptFor('publisher-of-others')).not.to.include('Franklyn');
  });

  it('a correction stays through corrections of the spoken track, reruns and a repeated stage', async () => {
    const { state: made, ...request } = await setup.makeCaptions();
    const { videoId } = request;
    await correct(videoId, 'es', { fix: { number: 1, text: 'Corregido' } });
    await settled(videoId);
    await correct(videoId, 'en', { file: SUBRIP });
    await settled(videoId);
    const spanish = await trackIn(videoId, 'es');
    await publishRequest(setup.harness, { ...request, revision: 1 });
    await until(() => setup.harness.of(videoId, 'captions.completed').length === 2, {
      what: 'the stage has ended again',
    });
    await settled(videoId);
    expect(await trackIn(videoId, 'es')).to.deep.equal(spanish);
    expect(await vtt(videoId, 'en')).to.include('Serena');
    expect(await vtt(videoId, 'fr')).to.include('Serena');
    expect(await rejectionCode(rerun(videoId, ['es']))).to.equal('FAILED_PRECONDITION');
    await rerun(videoId, ['es'], true);
    await settled(videoId);
    expect(await vtt(videoId, 'es'))
      .to.include('Serena')
      .and.not.include('Corregido');
    expect(await trackIn(videoId, 'es')).to.include({ correctedBy: '' });
    expect(made.tracks).to.have.length(5);
  });

  it('a replacement makes a track that no engine could make, and is purged with its video', async () => {
    const { videoId } = await setup.makeCaptions();
    expect(await trackIn(videoId, 'de')).to.include({ status: 'skipped' });
    await correct(videoId, 'de', { file: 'WEBVTT\n\n00:01.000 --> 00:02.000\nTor &lt;3\n' });
    await settled(videoId);
    expect(await vtt(videoId, 'de')).to.include('Tor &lt;3');
    await purge(setup.harness, videoId, 'PURGE_SCOPE_VIDEO');
    await until(() => setup.harness.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await setup.harness.keys(videoId)).to.deep.equal([]);
    const texts = `SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND payload::text LIKE '%Tor%'`;
    expect((await setup.harness.pool.query(texts, [videoId])).rowCount).to.equal(0);
  });

  it('a video without sound gets captions, and translations of them, from the staff', async () => {
    const silent = { ...(await setup.newRequest()), hasAudio: false, audioPlaylistKey: '' };
    await publishRequest(setup.harness, silent);
    expect(stateOf(await terminalEvent(setup.harness, silent.videoId)).tracks[0]).to.include({ status: 'skipped' });
    await correct(silent.videoId, 'en', { file: SUBRIP });
    await settled(silent.videoId);
    expect(await vtt(silent.videoId, 'fr')).to.include('Serena');
  });

  it('a file that breaks a rule changes nothing, and a dry run only checks', async () => {
    const { videoId, state: before } = await setup.makeCaptions();
    const late = 'WEBVTT\n\n00:11.000 --> 00:13.000\nToo late\n';
    const error: unknown = await correct(videoId, 'en', { file: late }).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'INVALID_ARGUMENT' });
    expect(error).to.have.property('message', 'line 3: a cue must end with the video, which has 12000 ms');
    await correct(videoId, 'en', { file: SUBRIP }, true);
    expect(await rejectionCode(correct(videoId, 'xx', { file: SUBRIP }))).to.equal('NOT_FOUND');
    expect(await state(videoId)).to.have.property('revision', before.revision);
  });
});
