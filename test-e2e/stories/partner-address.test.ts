/** The partner's addresses: the source is fetched, the thumbnail's address is never contacted. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { smallSample } from '@vds/testkit/media/make-samples';
import type { Target } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';

describe('the addresses that a partner gives', () => {
  let target: Target;
  let partner: Partner;
  let path: string;
  before(async function () {
    this.timeout(120_000);
    target = await theTarget();
    partner = await target.newPartner('Addresses');
    const sample = await smallSample();
    await copyFile(sample, join(target.media, `own-${basename(sample)}`));
    path = `/own-${basename(sample)}`;
  });
  const requestsFor = (wanted: string): number => target.origin.requests().filter((one) => one.path === wanted).length;

  it('the same source submitted twice makes two videos, each fetched for itself', async function () {
    this.timeout(120_000);
    const thumbnail_url = target.origin.url('/own-picture.jpg');
    const ids = [
      await partner.submit(target.origin.url(path)),
      await partner.submit(target.origin.url(path), { thumbnail_url }),
    ];
    expect(new Set(ids).size).to.equal(2);
    const [without, withThumbnail] = await Promise.all(ids.map((id) => partner.settled(id, 100_000)));
    expect([without?.status, withThumbnail?.status]).to.deep.equal(['ready', 'ready']);
    expect(requestsFor(path)).to.be.at.least(2);
    // The partner's thumbnail address is returned unchanged; ours exists in addition.
    expect(withThumbnail?.thumbnail_url).to.equal(thumbnail_url);
    expect(requestsFor('/own-picture.jpg')).to.equal(0);
    expect(without?.thumbnail_url).to.equal(without?.playback?.thumbnail_url);
    const own = await fetch(without?.thumbnail_url ?? '');
    expect([own.status, own.headers.get('content-type')]).to.deep.equal([200, 'image/jpeg']);
    expect((await own.arrayBuffer()).byteLength).to.be.greaterThan(200);
  });

  it('the partner’s host is asked for the source alone, by GET: nothing tells it that a video is ready or has failed', async function () {
    this.timeout(120_000);
    const wanted = `/asked-${Math.random().toString(36).slice(2)}.mkv`;
    await copyFile(await smallSample(), join(target.media, basename(wanted)));
    const first = target.origin.requests().length;
    const ready = await partner.submit(target.origin.url(wanted));
    const failed = await partner.submit(target.origin.url(`${wanted}.gone`));
    expect((await partner.settled(ready, 100_000)).status).to.equal('ready');
    expect((await partner.settled(failed, 100_000)).status).to.equal('failed');
    const asked = target.origin
      .requests()
      .slice(first)
      .filter(({ path: one }) => one.startsWith(wanted));
    expect(asked).not.to.deep.equal([]);
    expect(asked.filter(({ method }) => method !== 'GET')).to.deep.equal([]);
    expect(new Set(asked.map(({ path: one }) => one))).to.deep.equal(new Set([wanted, `${wanted}.gone`]));
  });
});
