/** The operator's verbs: hold, release, remove, retry, show and history, each with its audit. */
import { events } from '@vds/proto/events';
import { expect } from 'chai';
import { stages as list } from '../src/domain/stages.ts';
import { commonHouse } from './shared-fixture.ts';
import type { House } from './harness.ts';
import { actOn, failureOf, firstOf, type Acting } from './partner.ts';
import { keepers, lastWord, makers, namedStages } from './stages.ts';

describe('the operator’s staff', () => {
  let house: House;
  let act: Acting;
  before(async () => {
    house = await commonHouse();
    act = actOn(house);
  });
  const staff = () => firstOf(house).staffAs('vdsctl');
  const by = (videoId: string) => ({ videoId, actor: 'sre@example.com', reason: 'ticket 7' });
  const gate = async (playbackId = '') =>
    (await firstOf(house).as('playback').ResolvePlayback({ playbackId })).gateClosesAtMs;

  it('hold a live video: archived to its partner, shut to viewers at once, and not to be republished', async () => {
    const video = await act.ready();
    const held = await staff().HoldVideo(by(video.id));
    expect(held).to.include({ held: true });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_ARCHIVED' });
    expect(Number(await gate(video.seen.playbackId))).to.be.at.most(Date.now() + 1_000);
    const refusal = await failureOf(act.gateway.RepublishVideo(video));
    expect(refusal).to.include({ code: 'FAILED_PRECONDITION' });
    expect(refusal.message).to.include('held by the operator');
    expect(await staff().ReleaseVideo(by(video.id))).to.include({ held: false });
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_READY', playbackId: video.seen.playbackId });
  });

  it('hold a processing video: it is archived when it is done, whatever its partner asks', async () => {
    const video = await act.create();
    await staff().HoldVideo(by(video.id));
    expect((await failureOf(act.gateway.RepublishVideo(video))).message).to.include('held by the operator');
    await act.runStages(video.id);
    await act.stateIs(video, 'ARCHIVED');
    expect(await act.gateway.ArchiveVideo(video)).to.include({ status: 'archived' });
    await staff().ReleaseVideo(by(video.id));
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_ARCHIVED' });
    expect(await act.gateway.RepublishVideo(video)).to.include({ status: 'public' });
  });

  it('remove a video as its partner would', async () => {
    const video = await act.ready();
    await staff().RemoveVideo(by(video.id));
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_DELETED' });
    const [purge] = await act.hears(video.id, 'purgeRequested', 2);
    expect(purge?.payload).to.include({ videoId: video.id });
    expect(await failureOf(staff().HoldVideo(by(video.id)))).to.have.property('code', 'FAILED_PRECONDITION');
  });

  it('retry a failed video as a new attempt, which takes no notice of the old one', async () => {
    const video = await act.create();
    await act.gateway.ArchiveVideo(video);
    await act.hears(video.id, 'fetchRequested');
    await house.say(events.fetchFailed, { videoId: video.id, attempt: 1, code: 'source_timeout', details: {} });
    await act.stateIs(video, 'FAILED');
    const others = makers.map((owner) => `${owner} OTHER_ATTEMPTS 2`);
    expect(await act.ledger(video.id)).to.have.members([...others, 'ingest SOURCE 2']);
    const retried = await staff().RetryVideo(by(video.id));
    expect(retried).to.include({ attempt: 2, intent: 'archive' });
    expect(await act.get(video)).not.to.have.any.keys('failure', 'updatedAt');
    expect(await act.ledger(video.id)).to.have.members([...others, 'ingest OTHER_ATTEMPTS 2']);
    const requests = await act.hears(video.id, 'fetchRequested', 2);
    expect(requests[1]?.payload).to.include({ attempt: 2 });
    await act.complete.fetch(video.id, 1);
    await act.runStages(video.id, 2);
    await act.stateIs(video, 'ARCHIVED');
    await act.othersEnd(video.id);
    const [inspect] = act.heardOf(video.id, 'inspectRequested');
    expect(inspect?.payload).to.include({ sourceKey: `videos/${video.id}/2/source.1/original` });
    const { stages } = await staff().ShowVideo({ videoId: video.id });
    const shown = stages.map(({ stage, attempt, state }) => `${stage} ${attempt} ${state}`);
    const known = namedStages.map((stage) => `${stage} 2 completed`);
    expect(shown.filter((line) => known.includes(line) || line.endsWith('failed'))).to.deep.equal([
      'fetch 1 failed',
      ...known,
    ]);
    expect(shown).to.have.members(['fetch 1 failed', ...list.map(({ name }) => `${name} 2 completed`)]);
  });

  it('cannot retry what has not failed, nor find what does not exist', async () => {
    const video = await act.create();
    expect(await failureOf(staff().RetryVideo(by(video.id)))).to.have.property('code', 'FAILED_PRECONDITION');
    expect(await failureOf(staff().RetryVideo(by('nobody')))).to.have.property('code', 'NOT_FOUND');
    expect(await failureOf(staff().ShowVideo(by('nobody')))).to.have.property('code', 'NOT_FOUND');
    expect(await failureOf(staff().GetHistory(by('nobody')))).to.have.property('code', 'NOT_FOUND');
  });

  it('read in the history who did what and why, also where it changed nothing', async () => {
    const video = await act.ready();
    await staff().HoldVideo(by(video.id));
    await staff().HoldVideo({ videoId: video.id, actor: '', reason: 'again' });
    await act.gateway.DeleteVideo(video);
    const { entries } = await staff().GetHistory({ videoId: video.id });
    expect(
      entries.map(({ actor, action, from, to, reason }) => [actor, action, from, to, reason].join(' | ')),
    ).to.deep.equal([
      'partner | create |  | processing | ',
      `catalog | ${lastWord} completed | processing | ready | `,
      'sre@example.com | hold | ready | archived, held | ticket 7',
      'vdsctl | hold | archived, held | archived, held | again',
      'partner | delete | archived, held | deleted, held | ',
    ]);
    for (const { at } of entries) expect(at).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('see which removals nobody has confirmed', async () => {
    const video = await act.ready();
    await act.gateway.DeleteVideo(video);
    const unconfirmed = async () => (await staff().ShowVideo({ videoId: video.id })).unconfirmedPurges;
    const all = keepers.map((owner) => `${owner} VIDEO`);
    expect(await unconfirmed()).to.have.members(all);
    await house.say(events.ingestVideoPurged, { videoId: video.id, scope: 'PURGE_SCOPE_VIDEO', keepAttempt: 0 });
    await act.eventually(async () =>
      expect(await unconfirmed()).to.have.members(all.filter((row) => row !== 'ingest VIDEO')),
    );
  });
});
