/** How videos end: deleted by their partner, or failed; and what remains visible of them. */
import { events } from '@vds/proto/events';
import { expect } from 'chai';
import { commonHarness } from './shared-fixture.ts';
import type { Harness } from './harness.ts';
import { actOn, failureOf, firstOf, type Acting } from './partner.ts';
import { purgeOwners } from '../domain/stages.ts';

describe('the end of a video', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await commonHarness();
    act = actOn(harness);
  });
  const resolve = (playbackId = '') => firstOf(harness).as('playback').ResolvePlayback({ playbackId });

  it('a delete while processing cancels the stages at once and deletes the video soon after', async () => {
    const video = await act.create();
    await harness.publish(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.awaitEvents(video.id, 'fetchRequested');
    expect(await act.gateway.DeleteVideo(video)).to.include({ status: 'processing', queued: true });
    expect(await act.gateway.DeleteVideo(video)).to.include({ status: 'processing', queued: true });
    expect(await failureOf(act.gateway.ArchiveVideo(video))).to.have.property('code', 'NOT_FOUND');
    await act.awaitEvents(video.id, 'videoCancelled');
    await act.stateIs(video, 'DELETED');
    await act.complete.fetch(video.id);
    const [purge] = await act.awaitEvents(video.id, 'purgeRequested');
    expect(purge?.payload).to.deep.include({
      scope: 'PURGE_SCOPE_VIDEO',
      owners: purgeOwners,
    });
    expect(act.eventsOf(video.id, 'inspectRequested')).to.deep.equal([]);
    expect(await act.gateway.DeleteVideo(video)).to.include({ status: 'deleted', queued: false });
  });

  it('a video with a queued delete is deleted as soon as the running stage has stopped, before its grace ends; its gate closes at once', async () => {
    const video = await act.create({ title: 'patient' });
    await harness.publish(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.stageIs(video.id, 'fetch', 'started');
    const gate = () => firstOf(harness).as('playback').ResolvePlayback({ videoId: video.id });
    expect(await gate()).to.include({ videoId: video.id, state: 'VIDEO_STATE_PROCESSING', held: false });
    await act.gateway.ArchiveVideo(video);
    expect(await gate()).to.include({ state: 'VIDEO_STATE_ARCHIVED' });
    await act.gateway.DeleteVideo(video);
    expect(await gate()).to.include({ state: 'VIDEO_STATE_DELETED' });
    await harness.pool.query(`UPDATE videos SET due_at = now() + interval '1 hour' WHERE id = $1`, [video.id]);
    await act.complete.fetch(video.id);
    await act.stateIs(video, 'DELETED');
    expect(act.eventsOf(video.id, 'inspectRequested')).to.deep.equal([]);
  });

  it('a deleted video keeps only its title of the partner’s input', async () => {
    const video = await act.ready({ summary: 'secret', thumbnailUrl: 'https://media.example.com/t.jpg' });
    expect(await act.gateway.DeleteVideo(video)).to.include({ status: 'deleted', queued: false });
    const seen = await act.get(video);
    expect(seen).to.deep.include({ state: 'VIDEO_STATE_DELETED', title: 'Final', tags: [], sourceWarnings: [] });
    expect(seen).not.to.have.any.keys('summary', 'thumbnailUrl', 'durationSeconds', 'playbackId', 'languageCode');
    expect(await resolve(video.seen.playbackId)).to.include({ state: 'VIDEO_STATE_DELETED', ladderKey: '' });
    expect(Number((await resolve(video.seen.playbackId)).gateClosesInMs)).to.be.at.most(0);
    const { rows } = await harness.pool.query('SELECT source_url, summary, thumbnail_url FROM videos WHERE id = $1', [
      video.id,
    ]);
    expect(rows).to.deep.equal([{ source_url: '', summary: null, thumbnail_url: null }]);
  });

  it('a failed video has the failure of the table and accepts only a delete', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await harness.publish(events.fetchFailed, {
      videoId: video.id,
      attempt: 1,
      code: 'source_not_found',
      details: { status: '404' },
    });
    const { failure } = await act.stateIs(video, 'FAILED');
    expect(failure).to.deep.include({
      code: 'source_not_found',
      stage: 'fetch',
      retryable: false,
      details: { status: '404' },
    });
    expect(failure?.message).to.equal(
      'There is no file at source_url. Check the address, then submit the video again.',
    );
    expect(await failureOf(act.gateway.ArchiveVideo(video))).to.have.property('code', 'FAILED_PRECONDITION');
    expect(await act.gateway.DeleteVideo(video)).to.include({ status: 'deleted' });
    expect((await act.get(video)).failure?.code).to.equal('source_not_found');
  });

  it('an unknown failure code becomes internal_error without its details', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await harness.publish(events.fetchFailed, {
      videoId: video.id,
      attempt: 1,
      code: 'ffmpeg exploded',
      details: { host: '10.0.0.1' },
    });
    const { failure } = await act.stateIs(video, 'FAILED');
    expect(failure).to.deep.include({ code: 'internal_error', retryable: true, details: {} });
    const metrics = (await Promise.all(harness.processes.map((one) => one.metrics()))).join('\n');
    expect(metrics).to.match(/vds_catalog_unknown_failures_total\{.*\} 1/);
  });
});
