/** Tracks, a late transcript and repeated requests of a stage, on two processes. */
import { events } from '@vds/proto/events';
import { tracksAt } from '@vds/proto/testing/terminal-events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { stages } from '../../src/domain/stages.ts';
import { commonHarness } from './shared-fixture.ts';
import { startHarness, type Harness } from './harness.ts';
import { actOn, failureOf, firstOf, type Acting } from './partner.ts';
import { attached } from '../domain/stages.ts';

function trackWords(tracks: readonly { language: string; status: string }[] | undefined): string[] {
  return (tracks ?? []).map(({ language, status }) => `${language} ${status}`);
}

describe('late captions and metadata', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await commonHarness();
    act = actOn(harness);
  });
  const tracks = (videoId: string, revision: number, attempt = 1) =>
    harness.publish(events.tracksChanged, { videoId, attempt, state: tracksAt(videoId, revision, attempt) });
  const as = (caller: string) => firstOf(harness).as(caller);
  const by = (videoId: string, stage: string) => ({ videoId, stage, actor: 'sre@example.com', reason: 'new engine' });
  const admin = () => firstOf(harness).adminAs('vdsctl');

  it('changed tracks appear in the partner’s record, in playback’s menu and in the index, with a new version and a new `updated_at`', async () => {
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
    await until(() => act.eventsOf(video.id, 'videoChanged').some(({ payload }) => payload['version'] === version), {
      what: 'the change is published',
    });
  });

  it('the newest revision of the tracks wins in any order of arrival, and events of another attempt are ignored', async () => {
    const video = await act.ready();
    await Promise.all([tracks(video.id, 3), tracks(video.id, 1), tracks(video.id, 2), tracks(video.id, 9, 2)]);
    await act.eventually(async () =>
      expect(trackWords((await act.get(video)).captions)).to.deep.equal(['en ready', 'es ready', 'de skipped']),
    );
    await tracks(video.id, 2);
    await tracks(video.id, 4);
    const revision = async () =>
      (await harness.pool.query<{ n: number }>('SELECT captions_revision AS n FROM videos WHERE id = $1', [video.id]))
        .rows;
    await act.eventually(async () => expect(await revision()).to.deep.equal([{ n: 4 }]));
  });

  it('an archived video shows its tracks and a deleted one does not', async () => {
    const video = await act.ready();
    await act.gateway.ArchiveVideo(video);
    await tracks(video.id, 3);
    await act.eventually(async () => expect(trackWords((await act.get(video)).captions)).to.include('es ready'));
    await act.gateway.DeleteVideo(video);
    expect((await act.get(video)).captions).to.deep.equal([]);
    const { rows } = await harness.pool.query(
      'SELECT captions, captions_revision, transcript_key, transcript_revision FROM videos WHERE id = $1',
      [video.id],
    );
    expect(rows).to.deep.equal([{ captions: [], captions_revision: 0, transcript_key: null, transcript_revision: 0 }]);
    await tracks(video.id, 4);
    expect(await failureOf(as('metadata').DescribeVideo({ videoId: video.id }))).to.have.property('code', 'NOT_FOUND');
  });

  it('a changed transcript requests metadata again, and only the terminal event of that request ends it', async () => {
    const video = await act.ready();
    await act.gateway.ArchiveVideo(video);
    const state = { ...tracksAt(video.id, 4), transcriptRevision: 2, transcriptKey: 'later/track.json' };
    await harness.publish(events.tracksChanged, { videoId: video.id, attempt: 1, state });
    const [, again] = await act.awaitEvents(video.id, 'metadataRequested', 2);
    expect(again?.payload).to.include({ attempt: 1, revision: 1, transcriptKey: 'later/track.json' });
    expect(again?.id).to.equal(`${video.id}-1-metadata-revision-1`);
    await act.complete.metadata(video.id, 1, 0);
    const stages = async () => (await admin().ShowVideo({ videoId: video.id })).stages.map(({ stage, state: is, revision }) => `${stage} ${is} ${revision}`); // prettier-ignore
    await harness.publish(events.metadataStarted, { videoId: video.id, attempt: 1, revision: 1 });
    await act.eventually(async () => expect(await stages()).to.include('metadata started 1'));
    await act.complete.metadata(video.id, 1, 1);
    await act.eventually(async () => expect(await stages()).to.include('metadata completed 1'));
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_ARCHIVED' });
  });

  it('the operator’s rerun runs a stage again and is in the history with actor and reason', async () => {
    const video = await act.ready();
    const shown = await admin().RerunStage(by(video.id, 'captions'));
    expect(shown.stages.find(({ stage }) => stage === 'captions')).to.include({ state: 'requested', revision: 1 });
    const [, again] = await act.awaitEvents(video.id, 'captionsRequested', 2);
    expect(again?.payload).to.include({ revision: 1, audioPlaylistKey: 'a.m3u8', hasAudio: true });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_READY' });
    const open = await failureOf(admin().RerunStage(by(video.id, 'captions')));
    expect(open).to.include({ code: 'FAILED_PRECONDITION' });
    const { message } = await failureOf(admin().RerunStage(by(video.id, 'encode')));
    expect(stages.map(({ name }) => name).filter((name) => message.includes(name))).to.deep.equal(attached);
    expect(attached).to.include.members(['captions', 'metadata']);
    expect(await failureOf(admin().RerunStage(by('unknown', 'captions')))).to.have.property('code', 'NOT_FOUND');
    const { entries } = await admin().GetHistory({ videoId: video.id });
    expect(entries.at(-1)).to.include({ actor: 'sre@example.com', action: 'rerun captions', reason: 'new engine' });
  });

  it('DescribeVideo returns the partner’s texts whether the video is live or not', async () => {
    const video = await act.create({ summary: 's', sport: 'golf', languageCode: 'de' });
    const texts = {
      videoId: video.id,
      title: 'Final',
      summary: 's',
      tags: ['goal'],
      sport: 'golf',
      languageCode: 'de',
    };
    expect(await as('metadata').DescribeVideo({ videoId: video.id })).to.deep.include(texts);
    expect(await as('metadata').DescribeVideo({ videoId: video.id })).not.to.have.any.keys('category', 'transcriptKey');
    const { id } = await act.ready();
    expect((await as('metadata').DescribeVideo({ videoId: id })).transcriptKey).to.match(/track\.json$/);
    expect(await failureOf(as('playback').DescribeVideo({ videoId: video.id }))).to.include({
      code: 'PERMISSION_DENIED',
    });
  });

  it('a track of an unknown kind or status is left out and logged', async () => {
    const video = await act.ready();
    const [english] = tracksAt(video.id, 3).tracks ?? [];
    const strange = [{ ...english, language: 'xx', kind: 'karaoke' }, { ...english, status: 'odd' }, { ...english }];
    const state = { ...tracksAt(video.id, 3), tracks: strange };
    await harness.publish(events.tracksChanged, { videoId: video.id, attempt: 1, state });
    await act.eventually(async () => expect(trackWords((await act.get(video)).captions)).to.deep.equal(['en ready']));
    expect(harness.processes.map((one) => one.output()).join('')).to.include('unknown kind or status of a track');
  });
});

describe('a video that waits for captions and metadata', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await startHarness({ TIME_SCALE: 'minAwait=4s,republishFirst=1s,republishMax=500ms' });
    act = actOn(harness, 1_000);
  });
  after(() => harness.close());

  it('a video waits three quarters of its time for captions and all of it for metadata, and goes live without them', async () => {
    const video = await act.create();
    await act.runLadder(video.id);
    await act.awaitEvents(video.id, 'metadataRequested');
    const { rows } = await harness.pool.query<{ seconds: number }>(
      `SELECT EXTRACT(EPOCH FROM m.requested_at - e.finished_at)::float8 AS seconds FROM stages m JOIN stages e
        USING (video_id) WHERE video_id = $1 AND m.stage = 'metadata' AND e.stage = 'encode'`,
      [video.id],
    );
    expect(rows[0]?.seconds).to.be.within(3, 4);
    const seen = await act.stateIs(video, 'READY');
    expect(Date.parse(seen.updatedAt ?? '') - Date.parse(seen.createdAt)).to.be.greaterThan(4_000);
    expect(seen.captions).to.deep.equal([]);
    await act.awaitEvents(video.id, 'captionsRequested', 2);
    await act.complete.captions(video.id);
    await act.eventually(async () => expect(trackWords((await act.get(video)).captions)).to.include('en ready'));
  });

  it('the request of a reopened stage is republished with its own message id', async () => {
    const video = await act.create();
    await act.runStages(video.id);
    await act.stateIs(video, 'READY');
    await firstOf(harness).adminAs('vdsctl').RerunStage({ videoId: video.id, stage: 'metadata' });
    const requests = await act.awaitEvents(video.id, 'metadataRequested', 3);
    const again = requests.filter(({ payload }) => payload['revision'] === 1);
    await act.awaitEvents(video.id, 'metadataRequested', requests.length - again.length + 3);
    const ids = act.eventsOf(video.id, 'metadataRequested').map(({ id }) => id).filter((id) => id.includes('revision')); // prettier-ignore
    expect(ids.slice(0, 3)).to.deep.equal(
      ['', '-again-1', '-again-2'].map((end) => `${video.id}-1-metadata-revision-1${end}`),
    );
    await act.complete.metadata(video.id, 1, 1);
    await act.stageIs(video.id, 'metadata', 'completed');
    await act.othersEnd(video.id);
    const { rows } = await harness.pool.query(
      `SELECT 1 FROM stages WHERE video_id = $1 AND next_republish_at IS NOT NULL`,
      [video.id],
    );
    expect(rows).to.deep.equal([]);
  });
});
