/** What settles when it likes: tracks, a late transcript, and stages that are asked for once more. Two processes. */
import { events } from '@vds/proto/events';
import { tracksAt } from '@vds/proto/testing/last-words';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { stages } from '../src/domain/stages.ts';
import { commonHouse } from './shared-fixture.ts';
import { startHarness, type House } from './harness.ts';
import { actOn, failureOf, firstOf, type Acting } from './partner.ts';
import { attached } from './stages.ts';

function trackWords(tracks: readonly { language: string; status: string }[] | undefined): string[] {
  return (tracks ?? []).map(({ language, status }) => `${language} ${status}`);
}

describe('what attaches to a video', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await commonHouse();
    act = actOn(house);
  });
  const tracks = (videoId: string, revision: number, attempt = 1) =>
    house.say(events.tracksChanged, { videoId, attempt, state: tracksAt(videoId, revision, attempt) });
  const as = (caller: string) => firstOf(house).as(caller);
  const by = (videoId: string, stage: string) => ({ videoId, stage, actor: 'sre@example.com', reason: 'new engine' });
  const staff = () => firstOf(house).staffAs('vdsctl');

  it('is in the partner’s record, in the player’s menu and in the index, and moves version and time', async () => {
    const video = await act.ready();
    expect(
      video.seen.captions.map(({ language, kind, status, reason }) => [language, kind, status, reason]),
    ).to.deep.equal([
      ['en', 'captions', 'ready', undefined],
      ['es', 'subtitles', 'processing', undefined],
      ['de', 'subtitles', 'skipped', 'no_path'],
    ]);
    const resolve = () => as('playback').ResolvePlayback({ playbackId: video.seen.playbackId ?? '' });
    expect((await resolve()).tracks).to.have.length(1);
    await tracks(video.id, 3);
    const later = await until(
      async () => trackWords((await act.get(video)).captions)[1] === 'es ready' && act.get(video),
      {
        what: 'Spanish is ready',
      },
    );
    expect(Date.parse(later.updatedAt ?? '')).to.be.greaterThan(Date.parse(video.seen.updatedAt ?? ''));
    const resolved = await resolve();
    const [english, spanish] = tracksAt(video.id, 3).tracks ?? [];
    expect(resolved.tracks.map(({ playlistKey }) => playlistKey)).to.deep.equal([
      english?.playlistKey,
      spanish?.playlistKey,
    ]);
    const { tracks: indexed, version } = await as('indexer').GetIndexable({ videoId: video.id });
    expect(indexed.map(({ textKey }) => textKey)).to.deep.equal([english?.textKey, spanish?.textKey]);
    expect(version).to.equal(resolved.version);
    await until(() => act.heardOf(video.id, 'videoChanged').some(({ payload }) => payload['version'] === version), {
      what: 'the change is said',
    });
  });

  it('keeps the newest state of the tracks, in whatever order states come, and none of another attempt', async () => {
    const video = await act.ready();
    await Promise.all([tracks(video.id, 3), tracks(video.id, 1), tracks(video.id, 2), tracks(video.id, 9, 2)]);
    await act.eventually(async () =>
      expect(trackWords((await act.get(video)).captions)).to.deep.equal(['en ready', 'es ready', 'de skipped']),
    );
    await tracks(video.id, 2);
    await tracks(video.id, 4);
    const revision = async () =>
      (await house.pool.query<{ n: number }>('SELECT captions_revision AS n FROM videos WHERE id = $1', [video.id]))
        .rows;
    await act.eventually(async () => expect(await revision()).to.deep.equal([{ n: 4 }]));
  });

  it('is shown of an archived video too, and gone with a deleted one', async () => {
    const video = await act.ready();
    await act.gateway.ArchiveVideo(video);
    await tracks(video.id, 3);
    await act.eventually(async () => expect(trackWords((await act.get(video)).captions)).to.include('es ready'));
    await act.gateway.DeleteVideo(video);
    expect((await act.get(video)).captions).to.deep.equal([]);
    const { rows } = await house.pool.query(
      'SELECT captions, captions_revision, transcript_key, transcript_revision FROM videos WHERE id = $1',
      [video.id],
    );
    expect(rows).to.deep.equal([{ captions: [], captions_revision: 0, transcript_key: null, transcript_revision: 0 }]);
    await tracks(video.id, 4);
    expect(await failureOf(as('metadata').DescribeVideo({ videoId: video.id }))).to.have.property('code', 'NOT_FOUND');
  });

  it('has metadata look once more when the transcript’s text changed, and closes it by that asking’s own last word', async () => {
    const video = await act.ready();
    await act.gateway.ArchiveVideo(video);
    const state = { ...tracksAt(video.id, 4), transcriptRevision: 2, transcriptKey: 'later/track.json' };
    await house.say(events.tracksChanged, { videoId: video.id, attempt: 1, state });
    const [, again] = await act.hears(video.id, 'metadataRequested', 2);
    expect(again?.payload).to.include({ attempt: 1, revision: 1, transcriptKey: 'later/track.json' });
    expect(again?.id).to.equal(`${video.id}-1-metadata-revision-1`);
    await act.complete.metadata(video.id, 1, 0);
    const stages = async () => (await staff().ShowVideo({ videoId: video.id })).stages.map(({ stage, state: is, revision }) => `${stage} ${is} ${revision}`); // prettier-ignore
    await house.say(events.metadataStarted, { videoId: video.id, attempt: 1, revision: 1 });
    await act.eventually(async () => expect(await stages()).to.include('metadata started 1'));
    await act.complete.metadata(video.id, 1, 1);
    await act.eventually(async () => expect(await stages()).to.include('metadata completed 1'));
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_ARCHIVED' });
  });

  it('is made once more when the operator asks, with who and why in the history', async () => {
    const video = await act.ready();
    const shown = await staff().RepeatStage(by(video.id, 'captions'));
    expect(shown.stages.find(({ stage }) => stage === 'captions')).to.include({ state: 'requested', revision: 1 });
    const [, again] = await act.hears(video.id, 'captionsRequested', 2);
    expect(again?.payload).to.include({ revision: 1, audioPlaylistKey: 'a.m3u8', hasAudio: true });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_READY' });
    const open = await failureOf(staff().RepeatStage(by(video.id, 'captions')));
    expect(open).to.include({ code: 'FAILED_PRECONDITION' });
    const { message } = await failureOf(staff().RepeatStage(by(video.id, 'encode')));
    expect(stages.map(({ name }) => name).filter((name) => message.includes(name))).to.deep.equal(attached);
    expect(attached).to.include.members(['captions', 'metadata']);
    expect(await failureOf(staff().RepeatStage(by('nobody', 'captions')))).to.have.property('code', 'NOT_FOUND');
    const { entries } = await staff().GetHistory({ videoId: video.id });
    expect(entries.at(-1)).to.include({ actor: 'sre@example.com', action: 'repeat captions', reason: 'new engine' });
  });

  it('can be described by its partner’s words, live or not', async () => {
    const video = await act.create({ summary: 's', sport: 'golf', languageCode: 'de' });
    const told = { videoId: video.id, title: 'Final', summary: 's', tags: ['goal'], sport: 'golf', languageCode: 'de' };
    expect(await as('metadata').DescribeVideo({ videoId: video.id })).to.deep.include(told);
    expect(await as('captions').DescribeVideo({ videoId: video.id })).not.to.have.any.keys('category', 'transcriptKey');
    const { id } = await act.ready();
    expect((await as('metadata').DescribeVideo({ videoId: id })).transcriptKey).to.match(/track\.json$/);
    expect(await failureOf(as('playback').DescribeVideo({ videoId: video.id }))).to.include({
      code: 'PERMISSION_DENIED',
    });
  });

  it('leaves out a track whose words the partner’s contract does not have, and says so', async () => {
    const video = await act.ready();
    const [english] = tracksAt(video.id, 3).tracks ?? [];
    const strange = [{ ...english, language: 'xx', kind: 'karaoke' }, { ...english, status: 'odd' }, { ...english }];
    const state = { ...tracksAt(video.id, 3), tracks: strange };
    await house.say(events.tracksChanged, { videoId: video.id, attempt: 1, state });
    await act.eventually(async () => expect(trackWords((await act.get(video)).captions)).to.deep.equal(['en ready']));
    expect(house.processes.map((one) => one.output()).join('')).to.include('a track of unknown words');
  });
});

describe('a video that waits', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await startHarness({ AWAIT_LEAST: '2s', REMIND_FIRST: '1s', REMIND_EVERY: '500ms' });
    act = actOn(house, 1_000);
  });
  after(() => house.close());

  it('waits three quarters of its time for captions, to its end for metadata, and goes live without them', async () => {
    const video = await act.create();
    await act.runLadder(video.id);
    await act.hears(video.id, 'metadataRequested');
    const { rows } = await house.pool.query<{ asked: number }>(
      `SELECT EXTRACT(EPOCH FROM m.requested_at - e.finished_at)::float8 AS asked FROM stages m JOIN stages e
        USING (video_id) WHERE video_id = $1 AND m.stage = 'metadata' AND e.stage = 'encode'`,
      [video.id],
    );
    expect(rows[0]?.asked).to.be.within(1.5, 2);
    const seen = await act.stateIs(video, 'READY');
    expect(Date.parse(seen.updatedAt ?? '') - Date.parse(seen.createdAt)).to.be.greaterThan(2_000);
    expect(seen.captions).to.deep.equal([]);
    await act.hears(video.id, 'captionsRequested', 2);
    await act.complete.captions(video.id);
    await act.eventually(async () => expect(trackWords((await act.get(video)).captions)).to.include('en ready'));
  });

  it('has an asking that was opened again said again too, with an id of its own', async () => {
    const video = await act.create();
    await act.runStages(video.id);
    await act.stateIs(video, 'READY');
    await firstOf(house).staffAs('vdsctl').RepeatStage({ videoId: video.id, stage: 'metadata' });
    const said = await act.hears(video.id, 'metadataRequested', 3);
    const again = said.filter(({ payload }) => payload['revision'] === 1);
    await act.hears(video.id, 'metadataRequested', said.length - again.length + 3);
    const ids = act.heardOf(video.id, 'metadataRequested').map(({ id }) => id).filter((id) => id.includes('revision')); // prettier-ignore
    expect(ids.slice(0, 3)).to.deep.equal(
      ['', '-again-1', '-again-2'].map((end) => `${video.id}-1-metadata-revision-1${end}`),
    );
    await act.complete.metadata(video.id, 1, 1);
    await act.stageIs(video.id, 'metadata', 'completed');
    await act.othersEnd(video.id);
    const { rows } = await house.pool.query(`SELECT 1 FROM stages WHERE video_id = $1 AND remind_at IS NOT NULL`, [
      video.id,
    ]);
    expect(rows).to.deep.equal([]);
  });
});
