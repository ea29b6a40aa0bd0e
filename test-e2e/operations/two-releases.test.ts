/**
 * Two releases beside each other, with the settings of deploy/values/production.yaml: TLS of a private authority to every
 * server, mutual TLS between services, one NATS account, and a prefix for all that a release has on the servers.
 */
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { bare } from '../harness/apps-client.ts';
import { openTlsReleases, type TlsRelease, type TlsReleases } from '../harness/host/tls-releases.ts';
import { targetKind } from '../harness/target-kind.ts';
import { walkHls } from '../hls/walk.ts';

describe('two releases beside each other, with TLS to every server', function () {
  this.timeout(300_000);
  let opened: TlsReleases;
  before(async function () {
    if (targetKind() !== 'host') skipBecause(this, 'opens releases of its own, as processes of this host');
    opened = await openTlsReleases((process.env['X_NAMES'] ?? 'north,south').split(','));
  });
  after(() => opened?.close());

  it('a clip of each becomes ready, is found and plays', async () => {
    const clip = await spokenClip();
    const source = await opened.source.serve(clip);
    await Promise.all(
      opened.releases.map(async ({ name, partner, apps, mint, stack }: TlsRelease) => {
        const id = await partner.submit(source, { title: `From ${name}` });
        const { status, failure, playback } = await partner.settled(id);
        expect(status, JSON.stringify(failure)).to.equal('ready');
        await until(() => apps.finds(name, id), { what: 'found', capMs: 30_000 });
        const url = `${playback?.hls_url}?token=${await mint(playback?.playback_id ?? '')}`;
        expect((await walkHls(url, `${stack.dir}/${bare(id)}`)).breaches).to.deep.equal([]);
      }),
    );
  });
});
