/** Archive, republish and delete, as partners and viewers see them, over two playback replicas. */
import { createHash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeSample } from '@vds/testkit/media/make-samples';
import { pairs } from '@vds/testkit/media/sample-list';
import { serveSlowly } from '@vds/testkit/origin/routes';
import { until } from '@vds/testkit/until';
import { GATE_GRACE_MS } from '../harness/short-timeouts.ts';
import type { Target } from '../harness/host/host.ts';
import { leftoversOf } from '../probes/leftovers.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';

describe('the life of a video', () => {
  let target: Target;
  let partner: Partner;
  let file: string;
  before(async function () {
    this.timeout(120_000);
    target = await theTarget();
    partner = await target.newPartner('Lifecycle');
    const sample = pairs.find((one) => one.width === 426 && one.codec === 'h264');
    file = await makeSample(sample ?? pairs[0]!);
    await copyFile(file, join(target.media, 'life.mkv'));
  });

  const ready = async (): Promise<VideoRecord> => {
    const record = await partner.settled(await partner.submit(target.origin.url('/life.mkv')));
    expect(record.status).to.equal('ready');
    return record;
  };
  /** A video whose source arrives slowly, so that it stays in processing for some seconds. */
  const processing = async (): Promise<string> => {
    const path = `/slow-${Math.random().toString(36).slice(2)}.mkv`;
    target.origin.route(path, serveSlowly(file, 60_000));
    return partner.submit(target.origin.url(path));
  };
  const addresses = async (record: VideoRecord): Promise<string[]> => {
    const { playback_id: playbackId = '' } = record.playback ?? {};
    const token = await target.mint(playbackId);
    const replicas = await target.site.urls('playback');
    return replicas.map((url) => `${url}/p/${token}/${playbackId}/master.m3u8`);
  };
  const statusOf = async (url: string): Promise<number> => {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status;
  };

  /** Every file below a playlist, by its address, with the digest of its bytes; the master's own text names the token. */
  const bytesOf = async (playlist: string): Promise<Map<string, string>> => {
    const files = new Map<string, string>();
    const visit = async (url: string): Promise<void> => {
      if (files.has(url)) return;
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      files.set(url, createHash('sha256').update(bytes).digest('hex'));
      if (!url.endsWith('.m3u8')) return;
      const text = bytes.toString();
      const named = [...text.matchAll(/URI="([^"]+)"/g)].map(([, uri]) => uri ?? '');
      const listed = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      for (const uri of [...named, ...listed]) await visit(new URL(uri, url).href);
    };
    await visit(playlist);
    return files;
  };

  it('an archived video plays for its grace, then both playback replicas close its gate at once', async function () {
    this.timeout(120_000);
    const record = await ready();
    const urls = await addresses(record);
    expect(await Promise.all(urls.map(statusOf))).to.deep.equal([200, 200]);
    const begun = Date.now();
    expect(await partner.archive(record.id)).to.deep.include({
      status: 200,
      body: { id: record.id, status: 'archived' },
    });
    expect(await partner.get(record.id)).to.include({ status: 'archived', is_available: false, playback: null });
    // A gate closes between the last request that it let in and the first answer that it did not: a slow machine cannot
    // make a right moment look wrong.
    const closings = await Promise.all(
      urls.map(async (url) => {
        let [sentAt, openAt] = [0, 0];
        const isShut = async (): Promise<boolean> => {
          [openAt, sentAt] = [sentAt, Date.now() - begun];
          return (await statusOf(url)) === 404;
        };
        await until(isShut, { capMs: 60_000, everyMs: 20, what: 'the gate' });
        return { from: openAt, to: Date.now() - begun };
      }),
    );
    for (const { from, to } of closings) {
      expect(from).to.be.below(GATE_GRACE_MS + 1_500);
      expect(to).to.be.above(GATE_GRACE_MS - 500);
    }
    const apart = Math.max(...closings.map(({ from }) => from)) - Math.min(...closings.map(({ to }) => to));
    expect(apart, 'between the replicas').to.be.below(400);
  });

  it('a republished video is back under the same playback id', async function () {
    this.timeout(120_000);
    const record = await ready();
    const [url = ''] = await addresses(record);
    const before = await bytesOf(url);
    await partner.archive(record.id);
    await until(async () => (await statusOf(url)) === 404, { capMs: 60_000, what: 'the gate' });
    expect(await partner.republish(record.id)).to.deep.include({
      status: 200,
      body: { id: record.id, status: 'public' },
    });
    const back = await partner.get(record.id);
    expect(back).to.include({ status: 'ready', is_available: true });
    expect(back.playback?.playback_id).to.equal(record.playback?.playback_id);
    await until(async () => (await statusOf(url)) === 200, { capMs: 60_000, what: 'the open gate' });
    // Media and captions are what they were, byte for byte.
    expect(before.size).to.be.greaterThan(4);
    expect(await bytesOf(url)).to.deep.equal(before);
  });

  it('a deleted video has no object in any bucket, a tombstone record and no playback on any replica', async function () {
    this.timeout(180_000);
    const record = await ready();
    const urls = await addresses(record);
    expect(await leftoversOf(target.site, record.id)).to.have.length.greaterThan(0);
    expect(await partner.remove(record.id)).to.deep.include({
      status: 200,
      body: { id: record.id, status: 'deleted' },
    });
    await Promise.all(
      urls.map((url) =>
        until(async () => (await statusOf(url)) === 404, { capMs: 2_000, everyMs: 10, what: 'the gate' }),
      ),
    );
    const gone = await partner.get(record.id);
    expect(gone).to.include({ status: 'deleted', is_available: false, playback: null, summary: null });
    expect(gone).not.to.have.property('duration_seconds');
    await until(async () => (await leftoversOf(target.site, record.id)).length === 0, {
      capMs: 60_000,
      what: 'empty buckets',
    });
    expect((await partner.archive(record.id)).status).to.equal(404);
    expect((await partner.republish(record.id)).status).to.equal(404);
    expect((await partner.remove(record.id)).status).to.equal(200);
  });

  it('a video archived while processing is archived at its completion and never live', async function () {
    this.timeout(180_000);
    const id = await processing();
    const queued = await partner.archive(id);
    expect(queued.status).to.equal(202);
    expect(queued.body).to.include({ id, status: 'archive_queued' }).and.to.have.property('message');
    const seen = new Set<string>();
    await until(
      async () => {
        const { status } = await partner.get(id);
        seen.add(status);
        return status !== 'processing';
      },
      { capMs: 120_000, everyMs: 20, what: 'the end of processing' },
    );
    expect([...seen]).to.deep.equal(['processing', 'archived']);
    expect((await partner.republish(id)).body).to.include({ status: 'public' });
    expect((await partner.get(id)).status).to.equal('ready');
  });

  it('a republish cancels a queued archive', async function () {
    this.timeout(180_000);
    const id = await processing();
    await partner.archive(id);
    expect(await partner.republish(id)).to.have.nested.property('body.status', 'processing');
    expect((await partner.settled(id)).status).to.equal('ready');
  });

  it('a video deleted while processing is gone within a minute, is never ready and leaves nothing', async function () {
    this.timeout(180_000);
    const id = await processing();
    const begun = async () => (await leftoversOf(target.site, id)).length > 0;
    await until(begun, { capMs: 60_000, everyMs: 50, what: 'an unfinished upload' });
    const queued = await partner.remove(id);
    expect(queued.status).to.equal(202);
    expect(queued.body).to.include({ status: 'processing' }).and.to.have.property('message');
    expect((await partner.remove(id)).status).to.be.oneOf([200, 202]);
    const seen = new Set<string>();
    await until(
      async () => {
        const { status } = await partner.get(id);
        seen.add(status);
        return status === 'deleted';
      },
      { capMs: 60_000, everyMs: 50, what: 'the deletion' },
    );
    expect(seen.has('ready')).to.equal(false);
    await until(async () => (await leftoversOf(target.site, id)).length === 0, {
      capMs: 60_000,
      what: 'empty buckets',
    });
  });

  it('a viewer gets 401 without a valid token and 403 with the token of another video', async function () {
    this.timeout(120_000);
    const record = await ready();
    const { hls_url: hlsUrl = '', playback_id: playbackId = '' } = record.playback ?? {};
    expect(await statusOf(hlsUrl)).to.equal(401);
    expect(await statusOf(`${hlsUrl}?token=nonsense`)).to.equal(401);
    const other = await target.mint('anotherVideosPlaybackId00');
    expect(await statusOf(`${hlsUrl}?token=${other}`)).to.equal(403);
    expect(await statusOf(`${hlsUrl}?token=${await target.mint(playbackId)}`)).to.equal(200);
    expect(await statusOf(record.playback?.thumbnail_url ?? '')).to.equal(200);
  });
});
