/** A video's full life over gRPC and NATS; the test plays the owners of the stages. */
import { events } from '@vds/proto/events';
import { tracksAt } from '@vds/proto/testing/terminal-events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { commonHarness } from './shared-fixture.ts';
import type { Harness } from './harness.ts';
import { actOn, failureOf, firstOf, type Acting } from './partner.ts';
import { progressAfter } from '../domain/stages.ts';

describe('the life of a video', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await commonHarness();
    act = actOn(harness);
  });
  const resolve = (playbackId = '') => firstOf(harness).as('playback').ResolvePlayback({ playbackId });
  const clip = (videoId: string) => firstOf(harness).as('apps').GetClip({ videoId });

  it('a video goes from stage to stage, passes on the outputs of each, and becomes ready', async () => {
    const video = await act.create({ thumbnailUrl: 'https://media.example.com/t.jpg' });
    await act.awaitEvents(video.id, 'fetchRequested');
    await harness.publish(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await harness.publish(events.fetchProgressed, { videoId: video.id, attempt: 1, percent: 60 });
    const head = { sourceKey: `videos/${video.id}/1/source.1/manifest`, sourceBytes: 1_234 };
    await harness.publish(events.headStored, { videoId: video.id, attempt: 1, ...head });
    await act.awaitEvents(video.id, 'encodeRequested');
    expect(act.eventsOf(video.id, 'inspectRequested')).to.deep.equal([]);
    await act.complete.fetch(video.id);
    const [inspect] = await act.awaitEvents(video.id, 'inspectRequested');
    const sourceKey = `videos/${video.id}/1/source.1/manifest`;
    expect(inspect?.payload).to.include({ attempt: 1, sourceKey, sourceBytes: 1_234, publisherId: 'publisher-1' });
    await act.complete.inspect(video.id);
    await act.stageIs(video.id, 'inspect', 'completed');
    const [encode] = await act.awaitEvents(video.id, 'encodeRequested');
    expect(encode?.payload).to.include({ sourceKey, sourceBytes: 1_234 });
    const early = progressAfter('fetch', 'inspect', ...(await act.othersEnd(video.id)));
    expect(await act.get(video)).to.include({ durationSeconds: 25, progress: early });
    await harness.publish(events.audioCompleted, {
      videoId: video.id,
      attempt: 1,
      hasAudio: true,
      audioPlaylistKey: 'a.m3u8',
    });
    const [captions] = await act.awaitEvents(video.id, 'captionsRequested');
    const sound = { hasAudio: true, audioPlaylistKey: 'a.m3u8', revision: 0, publisherId: 'publisher-1' };
    expect(captions?.payload).to.include({ ...sound, attempt: 1, durationMs: 24_600, languageCode: 'en' });
    await act.complete.captions(video.id);
    await act.stageIs(video.id, 'captions', 'completed');
    expect(act.eventsOf(video.id, 'metadataRequested')).to.deep.equal([]);
    await act.complete.encode(video.id);
    const [metadata] = await act.awaitEvents(video.id, 'metadataRequested');
    const ladderKey = `videos/${video.id}/1/assemble.1/ladder.json`;
    const transcriptKey = tracksAt(video.id, 2).transcriptKey;
    expect(metadata?.payload).to.include({ ...sound, durationMs: 24_640, ladderKey, transcriptKey });
    const late = progressAfter('fetch', 'inspect', 'encode', 'captions', ...(await act.othersEnd(video.id)));
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_PROCESSING', progress: late });
    await act.complete.metadata(video.id);
    const seen = await act.stateIs(video, 'READY');
    expect(seen.playbackId).to.match(/^[0-9A-Za-z]{27}$/);
    expect(seen).to.deep.include({
      durationSeconds: 25,
      thumbnailUrl: 'https://media.example.com/t.jpg',
      sourceWarnings: [{ code: 'duration_not_recommended', message: 'Longer than usual.' }],
      mediaPlaybackId: seen.playbackId,
    });
    expect(Date.parse(seen.updatedAt ?? '')).to.be.greaterThan(Date.parse(seen.createdAt));
  });

  it('captions get the texts in which names stand: the partner’s own, and earlier titles of no other publisher', async () => {
    // Of their own: the 50 newest titles count, and ids of one second are in no order.
    const publisherId = 'publisher-of-titles';
    await act.create({ title: 'Deniz Undav trifft', publisherId });
    await act.create({ title: 'Of a stranger', publisherId: 'publisher-2' });
    const video = await act.create({ publisherId, title: 'Florian Wirtz', summary: 'Im Stadion', tags: ['VfB'] });
    await act.complete.fetch(video.id);
    await act.awaitEvents(video.id, 'inspectRequested');
    await act.complete.inspect(video.id);
    await act.awaitEvents(video.id, 'encodeRequested');
    await harness.publish(events.audioCompleted, {
      ...{ videoId: video.id, attempt: 1, hasAudio: true, audioPlaylistKey: 'a.m3u8' },
    });
    const [captions] = await act.awaitEvents(video.id, 'captionsRequested');
    expect(captions?.payload).to.deep.include({ title: 'Florian Wirtz', summary: 'Im Stadion', tags: ['VfB'] });
    expect(captions?.payload['earlierTitles']).to.deep.equal(['Deniz Undav trifft']);
  });

  it('a ready video is a clip, has an open gate and can be indexed', async () => {
    const { id, seen } = await act.ready({ summary: 's', sport: 'golf' });
    const shown = await clip(id);
    expect(shown).to.deep.include({
      videoId: id,
      title: 'Final',
      summary: 's',
      sport: 'golf',
      durationMs: 24_640,
      playbackId: seen.playbackId,
    });
    expect(shown).not.to.have.any.keys('category', 'thumbnailUrl');
    const gate = await resolve(seen.playbackId);
    expect(gate).to.include({
      videoId: id,
      state: 'VIDEO_STATE_READY',
      ladderKey: `videos/${id}/1/assemble.1/ladder.json`,
      durationMs: 24_640,
    });
    expect(gate).not.to.have.property('gateClosesInMs');
    const indexable = await firstOf(harness).as('indexer').GetIndexable({ videoId: id });
    expect(indexable).to.deep.include({ live: true, version: gate.version });
    expect(indexable.clip).to.deep.equal(shown);
  });

  it('every version publishes `changed`, with the playback id once there is one', async () => {
    const { id, seen } = await act.ready();
    const { version } = await resolve(seen.playbackId);
    const changes = await act.awaitEvents(id, 'videoChanged', version - 1);
    expect(changes.map(({ payload }) => Number(payload['version'])).toSorted((one, two) => one - two)).to.deep.equal(
      Array.from({ length: version - 1 }, (_, n) => n + 2),
    );
    expect(changes.find(({ payload }) => payload['version'] === version)?.payload).to.include({
      playbackId: seen.playbackId,
    });
  });

  it('an archived video keeps its gate open for the grace and is republished with the same playback id', async () => {
    const video = await act.ready();
    expect(await act.gateway.ArchiveVideo(video)).to.include({ id: video.id, status: 'archived', queued: false });
    const archived = await act.get(video);
    expect(archived).to.include({ state: 'VIDEO_STATE_ARCHIVED', mediaPlaybackId: video.seen.playbackId });
    expect(archived).not.to.have.property('playbackId');
    expect(await failureOf(clip(video.id))).to.have.property('code', 'NOT_FOUND');
    const gate = await resolve(video.seen.playbackId);
    expect(Number(gate.gateClosesInMs)).to.be.within(45_000, 60_000);
    expect(await act.gateway.ArchiveVideo(video)).to.include({ status: 'archived' });
    expect(await act.gateway.RepublishVideo(video)).to.include({ status: 'public', queued: false });
    expect((await act.get(video)).playbackId).to.equal(video.seen.playbackId);
    expect(await resolve(video.seen.playbackId)).not.to.have.property('gateClosesInMs');
    expect((await clip(video.id)).publishedAt).to.equal(video.seen.updatedAt);
  });

  it('a video with a queued archive is archived at its completion and never becomes a clip', async () => {
    const video = await act.create();
    const queued = await act.gateway.ArchiveVideo(video);
    expect(queued).to.include({ status: 'archive_queued', queued: true });
    expect(queued.message).to.be.a('string');
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_PROCESSING' });
    await act.runStages(video.id);
    const seen = await act.stateIs(video, 'ARCHIVED');
    expect(Number((await resolve(seen.mediaPlaybackId)).gateClosesInMs)).to.be.at.most(0);
    expect(await act.gateway.RepublishVideo(video)).to.include({ status: 'public' });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_READY' });
  });

  it('ListVideos pages by rising version, has each video once and misses none', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => act.create()));
    const list = firstOf(harness).as('indexer').ListVideos;
    const all = async () => {
      const seen = [];
      for (let after = 0; ;) {
        const { videos } = await list({ afterVersionSeq: after, limit: 2 });
        seen.push(...videos);
        const last = videos.at(-1);
        if (!last) return seen;
        after = last.versionSeq;
      }
    };
    const seen = await until(
      async () => {
        const listed = await all();
        return made.every(({ id }) => listed.some((video) => video.videoId === id)) && listed;
      },
      { what: 'all videos are listed' },
    );
    const numbers = seen.map(({ versionSeq }) => versionSeq);
    expect(numbers).to.deep.equal(numbers.toSorted((a, b) => a - b));
    expect(new Set(seen.map(({ videoId }) => videoId)).size).to.equal(seen.length);
  });

  it('ListVideos ends below a change that is still uncommitted, so that a reader misses nothing', async () => {
    const list = firstOf(harness).as('indexer').ListVideos;
    const early = await act.create();
    const { rows } = await harness.pool.query<{ last: number }>('SELECT max(version_seq)::int AS last FROM videos');
    const afterVersionSeq = rows[0]!.last;
    // A neighbour's transaction in the same cluster is not ours, however long it takes.
    const neighbour = new pg.Client({ ...harness.database.poolConfig, database: 'postgres' });
    await neighbour.connect();
    await neighbour.query('BEGIN; SELECT pg_current_xact_id()');
    const writer = await harness.pool.connect();
    await writer.query('BEGIN');
    await writer.query('UPDATE videos SET version = version + 1 WHERE id = $1', [early.id]);
    const later = await act.create();
    expect((await list({ afterVersionSeq, limit: 10 })).videos).to.deep.equal([]);
    await writer.query('COMMIT');
    writer.release();
    const listed = async () => (await list({ afterVersionSeq, limit: 10 })).videos.map(({ videoId }) => videoId);
    await act.eventually(async () => expect(await listed()).to.deep.equal([early.id, later.id]));
    await neighbour.end();
  });
});
