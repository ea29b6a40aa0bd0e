/**
 * Results that arrive after a video is live attach by themselves: record, player and search follow without any action.
 */
import { expect } from 'chai';
import { metadata } from '@vds/proto';
import { makeClip } from '@vds/testkit/media/make-clip';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { until } from '@vds/testkit/until';
import { walkTracks } from '../hls/tracks.ts';
import { appsOf, bare, type Apps } from '../harness/apps-client.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';
import { noTls } from '@vds/testkit/harness/rpc-callers';

describe('late captions', () => {
  let target: Target;
  let partner: Partner;
  let apps: Apps;
  before(async function () {
    this.timeout(120_000);
    target = await theTarget();
    partner = await target.newPartner('Late');
    apps = appsOf(target.site);
  });
  after(() => apps?.close());

  it('captions that were down while the video went live attach to it when they are back', async function () {
    this.timeout(300_000);
    const config = { rpcToken: target.site.tokens.vdsctl, ...(target.site.clientTls ?? noTls) };
    const metadataAdmin = rpcClient(metadata.MetadataService, {
      target: target.site.rpc('metadata', 'adminRpc'),
      config,
    });
    const sourceUrl = await target.serve(await makeClip());
    const restart = await target.site.end('captions');
    let away = true;
    try {
      const id = await partner.submit(sourceUrl, { title: 'Away at first' });
      const live = await partner.settled(id);
      expect(live.status, JSON.stringify(live.failure)).to.equal('ready');
      expect(live.captions?.filter(({ status }) => status === 'ready')).to.have.lengthOf(0);
      await until(async () => (await apps.indexed(id)).live, { capMs: 60_000, what: 'the document' });
      expect(await apps.finds('goalkeeper', id)).to.equal(false);
      const before = await until(() => metadataAdmin.GetMetadata({ videoId: bare(id) }), {
        capMs: 60_000,
        everyMs: 250,
        what: 'the first revision',
      });
      expect(before).to.include({ hasTranscript: false });
      expect(before.scenes.length).to.be.greaterThan(1);

      await restart();
      away = false;
      await partner.tracksReady(id, 17);
      const record = await partner.get(id);
      expect(Date.parse(record.updated_at ?? '')).to.be.greaterThan(Date.parse(live.updated_at ?? ''));
      const { playback_id: playbackId = '', hls_url: hlsUrl = '' } = record.playback ?? {};
      const token = await target.mint(playbackId);
      const offered = async (): Promise<boolean> => (await walkTracks(`${hlsUrl}?token=${token}`)).tracks.length === 17;
      await until(offered, { capMs: 30_000, everyMs: 250, what: 'the tracks in the master' });
      await until(() => apps.finds('goalkeeper', id), { capMs: 60_000, what: 'the spoken word in search' });
      const again = async (): Promise<boolean> =>
        (await metadataAdmin.GetMetadata({ videoId: bare(id) })).hasTranscript;
      await until(again, { capMs: 60_000, what: 'the second revision' });
      expect((await metadataAdmin.GetMetadata({ videoId: bare(id) })).revision).to.be.greaterThan(before.revision);
    } finally {
      await metadataAdmin.close();
      if (away) await restart();
    }
  });
});
