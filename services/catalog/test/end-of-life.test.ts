/** How videos end: deleted by their partner, or failed; and what is left to see of them. */
import { events } from '@vds/proto/events';
import { expect } from 'chai';
import { commonHouse } from './shared-fixture.ts';
import type { House } from './harness.ts';
import { actOn, failureOf, firstOf, type Acting } from './partner.ts';
import { keepers } from './stages.ts';

describe('the end of a video', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await commonHouse();
    act = actOn(house);
  });
  const resolve = (playbackId = '') => firstOf(house).as('playback').ResolvePlayback({ playbackId });

  it('stops at once on a delete while processing, and is deleted soon after', async () => {
    const video = await act.create();
    await house.say(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.hears(video.id, 'fetchRequested');
    expect(await act.gateway.DeleteVideo(video)).to.include({ status: 'processing', queued: true });
    expect(await act.gateway.DeleteVideo(video)).to.include({ status: 'processing', queued: true });
    expect(await failureOf(act.gateway.ArchiveVideo(video))).to.have.property('code', 'NOT_FOUND');
    await act.hears(video.id, 'videoCancelled');
    await act.stateIs(video, 'DELETED');
    await act.complete.fetch(video.id);
    const [purge] = await act.hears(video.id, 'purgeRequested');
    expect(purge?.payload).to.deep.include({
      scope: 'PURGE_SCOPE_VIDEO',
      owners: keepers,
    });
    expect(act.heardOf(video.id, 'inspectRequested')).to.deep.equal([]);
    expect(await act.gateway.DeleteVideo(video)).to.include({ status: 'deleted', queued: false });
  });

  it('is deleted as soon as the running stage has stopped, without waiting for the clock', async () => {
    const video = await act.create({ title: 'patient' });
    await house.say(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.stageIs(video.id, 'fetch', 'started');
    await act.gateway.DeleteVideo(video);
    await house.pool.query(`UPDATE videos SET due_at = now() + interval '1 hour' WHERE id = $1`, [video.id]);
    await act.complete.fetch(video.id);
    await act.stateIs(video, 'DELETED');
    expect(act.heardOf(video.id, 'inspectRequested')).to.deep.equal([]);
  });

  it('leaves a title and nothing else of the partner’s when it is deleted', async () => {
    const video = await act.ready({ summary: 'secret', thumbnailUrl: 'https://media.example.com/t.jpg' });
    expect(await act.gateway.DeleteVideo(video)).to.include({ status: 'deleted', queued: false });
    const seen = await act.get(video);
    expect(seen).to.deep.include({ state: 'VIDEO_STATE_DELETED', title: 'Final', tags: [], sourceWarnings: [] });
    expect(seen).not.to.have.any.keys('summary', 'thumbnailUrl', 'durationSeconds', 'playbackId', 'languageCode');
    expect(await resolve(video.seen.playbackId)).to.include({ state: 'VIDEO_STATE_DELETED', ladderKey: '' });
    expect(Number((await resolve(video.seen.playbackId)).gateClosesAtMs)).to.be.at.most(Date.now() + 1_000);
    const { rows } = await house.pool.query('SELECT source_url, summary, thumbnail_url FROM videos WHERE id = $1', [
      video.id,
    ]);
    expect(rows).to.deep.equal([{ source_url: '', summary: null, thumbnail_url: null }]);
  });

  it('tells the partner why it failed, in our words, and takes only a delete then', async () => {
    const video = await act.create();
    await act.hears(video.id, 'fetchRequested');
    await house.say(events.fetchFailed, {
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

  it('turns an unknown failure code into internal_error and shows none of its details', async () => {
    const video = await act.create();
    await act.hears(video.id, 'fetchRequested');
    await house.say(events.fetchFailed, {
      videoId: video.id,
      attempt: 1,
      code: 'ffmpeg exploded',
      details: { host: '10.0.0.1' },
    });
    const { failure } = await act.stateIs(video, 'FAILED');
    expect(failure).to.deep.include({ code: 'internal_error', retryable: true, details: {} });
    const metrics = (await Promise.all(house.processes.map((one) => one.metrics()))).join('\n');
    expect(metrics).to.match(/vds_catalog_unknown_failures_total\{.*\} 1/);
  });
});
