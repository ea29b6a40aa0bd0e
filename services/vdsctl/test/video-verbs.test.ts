import { expect } from 'chai';
import {
  ctl,
  FAILED,
  READY,
  ingest,
  json,
  publisher,
  newVideoId,
  completeStage,
  useStack,
  video,
  type DetailsJson,
  vdsctlToken,
} from './harness.ts';
import { KNOWN_VIDEO, startStageServers } from './stage-servers.ts';

type RevisionsJson = { readonly stages: readonly { stage: string; state: string; revision: number }[] };

type ListJson = { readonly videos: readonly { readonly video_id: string }[]; readonly more: boolean };

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

describe('vdsctl video and token', function () {
  this.timeout(60_000);
  useStack();

  it('video show accepts an id with and without vid_', async () => {
    const id = await video('failed', FAILED);
    const shown = await json<DetailsJson>(`video show vid_${id}`);
    expect(shown).to.deep.include({ publisher_id: 'pub_1', attempt: 1, held: false });
    expect(shown.video).to.deep.include({ id, title: 'Final', state: 'failed' });
    expect(shown.stages.map(({ stage }) => stage)).to.deep.equal(['fetch']);
    const { out } = await ctl(`video show ${id}`);
    expect(out)
      .to.match(/^video +\w+\n/)
      .and.match(/\nfailure +source_not_found in fetch: There is no file/)
      .and.match(/\nfetch +/);
  });

  it('video show prints what it knows where the workers cannot be asked, and --watch ends with a video that has ended', async () => {
    const id = await ingest('pub_1', 'b');
    const waiting = await ctl(`video show ${id}`);
    expect(waiting.exit).to.equal(0);
    expect(waiting.out)
      .to.match(/^state +processing$/m)
      .and.match(/^waits +fetch: the jobs of ingest are unknown: VDSCTL_INGEST is not set/m)
      .and.match(/^source host +media\.example\.com$/m)
      .and.match(/^fetch +requested +1 +0 %/m)
      .and.not.contain('final.mp4');
    expect((await ctl(`video show ${id} --timeline`)).out)
      .to.match(/^There are no such jobs\.\n/)
      .and.match(/^the jobs of ingest are unknown: VDSCTL_INGEST is not set/m);
    const ended = await ctl(`video show ${await video('failed', FAILED)} --watch`);
    expect(ended).to.include({ exit: 0 });
    expect(ended.out).to.match(/^failure +source_not_found in fetch: There is no file/m);
  });

  it('video show names the sound, the original, the captions and the chapters of the file', async () => {
    const servers = await startStageServers(vdsctlToken());
    try {
      const { VDSCTL_TRANSCODE, VDSCTL_CAPTIONS } = servers.environment;
      await ingest('pub_1', 'b', {}, KNOWN_VIDEO);
      const shown = await ctl(`video show ${KNOWN_VIDEO}`, [], { VDSCTL_TRANSCODE, VDSCTL_CAPTIONS });
      expect(shown.exit, shown.err).to.equal(0);
      expect(shown.out)
        .to.match(/^sound +eng, main$/m)
        .and.match(/^sound +no language, commentary, Away .*radio$/m)
        .and.match(/^original +3840x2160, PQ, hvc1\.2\.4\.L150\.B0$/m)
        .and.match(/^provided +es \(Spanish\)$/m)
        .and.match(/^chapters +3$/m)
        .and.not.contain('\u001b');
      const other = await ctl(`video show ${await ingest('pub_1', 'b')}`, [], { VDSCTL_TRANSCODE, VDSCTL_CAPTIONS });
      expect(other.out, 'nothing is encoded yet').not.to.match(/^(?:sound|provided|chapters|original) /m);
    } finally {
      await servers.close();
    }
    const { out } = await ctl(`video show ${KNOWN_VIDEO}`);
    expect(out).to.match(/^sound +unknown: VDSCTL_TRANSCODE is not set/m);
  });

  it('video show and video history need no actor and no reason', async () => {
    const id = await video('ready', READY);
    for (const verb of ['show', 'history'])
      expect(await ctl(`video ${verb} ${id}`, [], { USER: '' }), verb).to.include({ exit: 0, err: '' });
  });

  it('video retry starts a new attempt, with actor and reason in the history', async () => {
    const id = await video('failed', FAILED);
    const retried = await json<DetailsJson>(`video retry ${id} --reason`, 'the host is back');
    expect(retried).to.deep.include({ attempt: 2 }).and.to.have.nested.property('video.state', 'processing');
    const { entries } = await json<{ entries: Record<string, string>[] }>(`video history ${id}`);
    expect(entries.at(-1)).to.include({
      actor: 'sam',
      action: 'retry',
      from: 'failed',
      reason: 'the host is back',
    });
    expect((await ctl(`video retry ${id} --reason x`)).exit).to.equal(1);
    const { out } = await ctl(`video history ${id}`);
    expect(out)
      .to.match(/^AT +WHO +WHAT +FROM +TO\n/)
      .and.match(/ sam +retry +failed +processing.*\n +the host is back\n/);
  });

  it('video rerun requests a stage again, with actor and reason in the history', async () => {
    const id = await video('ready', `, playback_id = 'p${newVideoId()}', duration_ms = 25000, ladder_key = 'l'`);
    expect(
      (await ctl(`video rerun ${id} --stage metadata --reason x`)).exit,
      'a stage that was never requested',
    ).to.equal(1);
    expect((await ctl(`video rerun ${id} --stage metadata --reason x --dry-run`)).exit).to.equal(1);
    await completeStage(id, 'metadata');
    const dry = await ctl(`video rerun ${id} --stage metadata --reason x --dry-run`);
    expect(dry.out).to.equal(`would request revision 1 of metadata of video ${id}\n`);
    const { stages } = await json<RevisionsJson>(`video rerun ${id} --stage metadata --reason`, 'better engines');
    const requested = stages.find(({ stage }) => stage === 'metadata');
    expect(requested).to.deep.include({ state: 'requested', revision: 1 });
    const { entries } = await json<{ entries: Record<string, string>[] }>(`video history ${id}`);
    expect(entries.at(-1)).to.include({ actor: 'sam', reason: 'better engines' });
    expect((await ctl(`video rerun ${id} --stage encode --reason x`)).exit, 'a stage that blocks').to.equal(1);
    expect((await ctl(`video rerun ${id} --stage metadata --reason x`)).exit, 'an open stage').to.equal(1);
  });

  it('video hold, release and remove print the resulting state', async () => {
    const id = await video(
      'ready',
      `, playback_id = 'p${newVideoId()}', duration_ms = 25000, ladder_key = 'l', thumbnail_key = 't'`,
    );
    const held = await json<DetailsJson>(`video hold vid_${id} --reason`, 'ticket 7');
    expect(held).to.deep.include({ held: true }).and.to.have.nested.property('video.state', 'archived');
    expect((await ctl(`video show ${id}`)).out).to.match(/^state +archived, held by the operator$/m);
    const released = await json<DetailsJson>(`video release ${id} --reason`, 'settled');
    expect(released).to.deep.include({ held: false }).and.to.have.nested.property('video.state', 'ready');
    const removed = await json<DetailsJson>(`video remove ${id} --actor kim --reason`, 'rights ended');
    expect(removed).to.have.nested.property('video.state', 'deleted');
    const { entries } = await json<{ entries: Record<string, string>[] }>(`video history ${id}`);
    expect(entries.slice(1).map(({ actor, action, reason }) => [actor, action, reason].join(' | '))).to.deep.equal([
      'sam | hold | ticket 7',
      'sam | release | settled',
      'kim | remove | rights ended',
    ]);
  });

  it('video list prints a publisher’s videos, newest first, filtered by state', async () => {
    const publisherId = await publisher();
    const made = [await ingest(publisherId, 'c'), await ingest(publisherId, 'c'), await ingest(publisherId, 'c')];
    const newest = made.toSorted().toReversed(); // the ids that a gateway mints rise with time
    const listed = await json<ListJson>(`video list --publisher ${publisherId}`);
    expect(listed.videos.map(({ video_id: id }) => id)).to.deep.equal(newest);
    expect(listed.videos[0]).to.deep.include({ state: 'processing', held: false, intent: 'none', title: 'Final' });
    expect(listed.more).to.equal(false);
    const first = await json<ListJson>(`video list --publisher ${publisherId} --limit 2 --state processing`);
    expect([first.videos.length, first.more]).to.deep.equal([2, true]);
    expect((await json<ListJson>(`video list --publisher ${publisherId} --state ready`)).videos).to.deep.equal([]);
    expect((await ctl(`video list --publisher ${publisherId} --state gone`)).exit).to.equal(2);
    expect((await ctl(`video list --publisher ${publisherId}`)).out).to.match(
      /^VIDEO +STATE +FAILURE +CREATED\n\S+ +processing +– +\S+Z\n +Final\n/,
    );
  });

  it('control characters and bidirectional overrides in a title are printed escaped', async () => {
    const publisherId = await publisher();
    const title = 'a\u001b[2J\u202eb\nc\u009b';
    const id = await ingest(publisherId, 'c', { title });
    for (const line of [`video show ${id}`, `video list --publisher ${publisherId}`])
      expect((await ctl(line)).out)
        .to.contain('a\\u{1b}[2J\\u{202e}b\\u{a}c\\u{9b}')
        .and.not.match(/[^\P{Cc}\n]|\u202e/u);
    const { out } = await ctl(`video show ${id} --json`);
    expect(out).to.not.match(/[^\P{Cc}\n]|\u202e/u);
    expect(JSON.parse(out)).to.have.nested.property('video.title', title);
  });

  it('token mint signs a token for the playback id of the video', async () => {
    const playbackId = `p${newVideoId()}`;
    const id = await video(
      'ready',
      `, playback_id = '${playbackId}', duration_ms = 14400000, ladder_key = 'l', thumbnail_key = 't'`,
    );
    const minted = await json<{ playback_id: string; token: string; expires_at: string }>(`token mint vid_${id}`);
    expect(minted.playback_id).to.equal(playbackId);
    const { sub, exp, iat } = claimsOf(minted.token);
    expect(sub).to.equal(playbackId);
    expect(Number(exp) - Number(iat)).to.equal(8 * 3_600);
    expect(Date.parse(minted.expires_at)).to.equal(Number(exp) * 1_000);
    expect((await ctl(`token mint ${await video('processing')}`)).exit).to.equal(1);
  });
});
