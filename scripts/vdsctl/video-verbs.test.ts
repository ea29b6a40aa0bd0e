import { expect } from 'chai';
import { ctl, FAILED, json, newVideoId, settle, useHouse, video, type DetailsJson } from './staff.ts';

type RevisionsJson = { readonly stages: readonly { stage: string; state: string; revision: number }[] };

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('vdsctl video and token', function () {
  this.timeout(60_000);
  useHouse();

  it('shows a video by either spelling of its id', async () => {
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

  it('retries a failed video as a new attempt, with who and why in its history', async () => {
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
      .to.match(/^AT +WHO +WHAT +FROM +TO +WHY\n/)
      .and.match(/ sam +retry +failed +processing.* +the host is back\n/);
  });

  it('asks for a stage once more, with who and why in its history', async () => {
    const id = await video('ready', `, playback_id = 'p${newVideoId()}', duration_ms = 25000, ladder_key = 'l'`);
    expect((await ctl(`video repeat ${id} --stage metadata --reason x`)).exit, 'never asked for').to.equal(1);
    expect((await ctl(`video repeat ${id} --stage metadata --reason x --dry-run`)).exit).to.equal(1);
    await settle(id, 'metadata');
    const dry = await ctl(`video repeat ${id} --stage metadata --reason x --dry-run`);
    expect(dry.out).to.equal(`would ask for revision 1 of metadata in video ${id}\n`);
    const { stages } = await json<RevisionsJson>(`video repeat ${id} --stage metadata --reason`, 'better engines');
    const asked = stages.find(({ stage }) => stage === 'metadata');
    expect(asked).to.deep.include({ state: 'requested', revision: 1 });
    const { entries } = await json<{ entries: Record<string, string>[] }>(`video history ${id}`);
    expect(entries.at(-1)).to.include({ actor: 'sam', reason: 'better engines' });
    expect((await ctl(`video repeat ${id} --stage encode --reason x`)).exit, 'a stage that blocks').to.equal(1);
    expect((await ctl(`video repeat ${id} --stage metadata --reason x`)).exit, 'an open stage').to.equal(1);
  });

  it('mints a token that names the video of the id', async () => {
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
