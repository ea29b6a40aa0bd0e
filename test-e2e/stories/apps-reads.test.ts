/** What apps read of a video follows its life: archive, hold and delete reach metadata and transcript as they reach players. */
import { expect } from 'chai';
import { catalog } from '@vds/proto';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { noTls } from '@vds/testkit/harness/rpc-callers';
import { until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { appsOf, bare, type Apps } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theHost } from '../harness/shared-target.ts';

/** Playback drops a changed gate as fast; without NATS it takes 15 s. */
const AT_ONCE_MS = 3_000;

describe('what apps read of a video', function () {
  this.timeout(240_000);
  let target: HostTarget;
  let partner: Partner;
  let apps: Apps;
  let id: string;

  before(async function () {
    target = await theHost(this);
    partner = await target.newPartner('Read by apps');
    apps = appsOf(target.site);
    id = await partner.submit(await target.serve(await spokenClip()), { title: 'Read by apps', language_code: 'en' });
    expect((await partner.settled(id)).status).to.equal('ready');
    await partner.tracksSettled(id);
  });
  after(() => apps?.close());

  const isThere = async (read: Promise<object>): Promise<boolean> => (await orUndefinedIfNotFound(read)) !== undefined;
  const reads = (): Promise<boolean[]> => Promise.all([isThere(apps.metadata(id)), isThere(apps.transcript(id))]);
  const isRead = (wanted: boolean, what: string, capMs = AT_ONCE_MS) =>
    until(async () => (await reads()).every((one) => one === wanted), { what, capMs, everyMs: 20 });

  it('apps read what is said in a live video, in the spoken language and in a translation, and its scenes', async () => {
    await isRead(true, 'metadata and transcript of a live video', 60_000);
    const english = await apps.transcript(id);
    expect(english).to.include({ languageCode: 'en', kind: 'captions' });
    expect(english.languages).to.include.members(['en', 'es']);
    expect(english.cues.flatMap(({ lines }) => lines).join(' ')).to.match(/striker scores/i);
    const spanish = await apps.transcript(id, 'es');
    expect(spanish.cues.map(({ startMs }) => startMs)).to.deep.equal(english.cues.map(({ startMs }) => startMs));
    expect(spanish.cues).not.to.deep.equal(english.cues);
    const { scenes, passages } = await apps.metadata(id);
    expect(scenes.at(-1)?.endMs).to.be.closeTo(3_000, 100);
    expect(passages).to.deep.equal([]);
  });

  it('archive, hold and delete end it at once, and republish and release bring it back', async () => {
    const config = { rpcToken: target.site.tokens.vdsctl, ...noTls };
    const admin = rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, {
      target: target.site.rpc('catalog', 'adminRpc'),
      config,
    });
    const by = { videoId: bare(id), actor: 'tests', reason: 'a complaint' };
    await isRead(true, 'a live video', 60_000);
    await partner.archive(id);
    await isRead(false, 'an archived video');
    await partner.republish(id);
    await isRead(true, 'a republished video');
    await admin.HoldVideo(by);
    await isRead(false, 'a held video');
    await admin.ReleaseVideo(by);
    await isRead(true, 'a released video');
    await partner.remove(id);
    await isRead(false, 'a deleted video');
    await admin.close();
  });
});
