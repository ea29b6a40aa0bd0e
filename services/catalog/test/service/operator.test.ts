/** The operator's commands: hold, release, remove, retry, show and history, each with its audit. */
import { events } from '@vds/proto/events';
import { expect } from 'chai';
import { stages as list } from '../../src/domain/stages.ts';
import { commonHarness } from './shared-fixture.ts';
import type { Harness } from './harness.ts';
import { actOn, failureOf, firstOf, type Acting } from './partner.ts';
import { purgeOwners, lastStage, outputOwners, namedStages } from '../domain/stages.ts';

describe('the operator’s commands', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await commonHarness();
    act = actOn(harness);
  });
  const admin = () => firstOf(harness).adminAs('vdsctl');
  const by = (videoId: string) => ({ videoId, actor: 'sre@example.com', reason: 'ticket 7' });
  const gate = async (playbackId = '') =>
    (await firstOf(harness).as('playback').ResolvePlayback({ playbackId })).gateClosesInMs;

  it('a held live video is archived to its partner, closed to viewers at once, and cannot be republished', async () => {
    const video = await act.ready();
    const held = await admin().HoldVideo(by(video.id));
    expect(held).to.include({ held: true });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_ARCHIVED' });
    expect(Number(await gate(video.seen.playbackId))).to.be.at.most(0);
    const rejection = await failureOf(act.gateway.RepublishVideo(video));
    expect(rejection).to.include({ code: 'FAILED_PRECONDITION' });
    expect(rejection.message).to.include('held by the operator');
    expect(await admin().ReleaseVideo(by(video.id))).to.include({ held: false });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_READY', playbackId: video.seen.playbackId });
  });

  it('a held processing video is archived at its completion, whatever the partner requests', async () => {
    const video = await act.create();
    await admin().HoldVideo(by(video.id));
    expect((await failureOf(act.gateway.RepublishVideo(video))).message).to.include('held by the operator');
    await act.runStages(video.id);
    await act.stateIs(video, 'ARCHIVED');
    expect(await act.gateway.ArchiveVideo(video)).to.include({ status: 'archived' });
    await admin().ReleaseVideo(by(video.id));
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_ARCHIVED' });
    expect(await act.gateway.RepublishVideo(video)).to.include({ status: 'public' });
  });

  it('the operator’s removal deletes a video as its partner’s delete would', async () => {
    const video = await act.ready();
    await admin().RemoveVideo(by(video.id));
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_DELETED' });
    const [purge] = await act.awaitEvents(video.id, 'purgeRequested', 2);
    expect(purge?.payload).to.include({ videoId: video.id });
    expect(await failureOf(admin().HoldVideo(by(video.id)))).to.have.property('code', 'FAILED_PRECONDITION');
  });

  it('a retry of a failed video starts a new attempt, which ignores events of the old one', async () => {
    const video = await act.create();
    await act.gateway.ArchiveVideo(video);
    await act.awaitEvents(video.id, 'fetchRequested');
    await harness.publish(events.fetchFailed, { videoId: video.id, attempt: 1, code: 'source_timeout', details: {} });
    await act.stateIs(video, 'FAILED');
    const others = outputOwners.map((owner) => `${owner} OTHER_ATTEMPTS 2`);
    expect(await act.ledger(video.id)).to.have.members([...others, 'ingest SOURCE 2']);
    const retried = await admin().RetryVideo(by(video.id));
    expect(retried).to.include({ attempt: 2, intent: 'archive' });
    expect(await act.get(video)).not.to.have.any.keys('failure', 'updatedAt');
    expect(await act.ledger(video.id)).to.have.members([...others, 'ingest OTHER_ATTEMPTS 2']);
    const requests = await act.awaitEvents(video.id, 'fetchRequested', 2);
    expect(requests[1]?.payload).to.include({ attempt: 2 });
    await act.complete.fetch(video.id, 1);
    await act.runStages(video.id, 2);
    await act.stateIs(video, 'ARCHIVED');
    await act.othersEnd(video.id);
    const [inspect] = act.eventsOf(video.id, 'inspectRequested');
    expect(inspect?.payload).to.include({ sourceKey: `videos/${video.id}/2/source.1/manifest` });
    const { stages } = await admin().ShowVideo({ videoId: video.id });
    const shown = stages.map(({ stage, attempt, state }) => `${stage} ${attempt} ${state}`);
    const known = namedStages.map((stage) => `${stage} 2 completed`);
    expect(shown.filter((line) => known.includes(line) || line.endsWith('failed'))).to.have.members([
      'fetch 1 failed',
      ...known,
    ]);
    expect(shown).to.have.members(['fetch 1 failed', ...list.map(({ name }) => `${name} 2 completed`)]);
  });

  it('a retry is rejected unless the video has failed, and not found when it does not exist', async () => {
    const video = await act.create();
    expect(await failureOf(admin().RetryVideo(by(video.id)))).to.have.property('code', 'FAILED_PRECONDITION');
    expect(await failureOf(admin().RetryVideo(by('unknown')))).to.have.property('code', 'NOT_FOUND');
    expect(await failureOf(admin().ShowVideo(by('unknown')))).to.have.property('code', 'NOT_FOUND');
    expect(await failureOf(admin().GetHistory(by('unknown')))).to.have.property('code', 'NOT_FOUND');
  });

  it('the history has every operator command with actor and reason, even if it changed nothing', async () => {
    const video = await act.ready();
    await admin().HoldVideo(by(video.id));
    await admin().HoldVideo({ videoId: video.id, actor: '', reason: 'again' });
    await act.gateway.DeleteVideo(video);
    const { entries } = await admin().GetHistory({ videoId: video.id });
    expect(
      entries.map(({ actor, action, from, to, reason }) => [actor, action, from, to, reason].join(' | ')),
    ).to.deep.equal([
      'partner | create |  | processing | key key-1',
      `catalog | ${lastStage} completed | processing | ready | `,
      'sre@example.com | hold | ready | archived, held | ticket 7',
      'vdsctl | hold | archived, held | archived, held | again',
      'partner | delete | archived, held | deleted, held | ',
    ]);
    for (const { at } of entries) expect(at).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('ShowVideo lists the unconfirmed purges that are due', async () => {
    const video = await act.ready();
    // The source is kept for another day.
    expect((await admin().ShowVideo({ videoId: video.id })).unconfirmedPurges).not.to.include('ingest SOURCE');
    await act.gateway.DeleteVideo(video);
    const unconfirmed = async () => (await admin().ShowVideo({ videoId: video.id })).unconfirmedPurges;
    const all = purgeOwners.map((owner) => `${owner} VIDEO`);
    expect(await unconfirmed()).to.have.members(all);
    await act.confirmPurge(video.id, 'ingest');
    await act.eventually(async () =>
      expect(await unconfirmed()).to.have.members(all.filter((row) => row !== 'ingest VIDEO')),
    );
  });
});
