/**
 * Restores, as deploy/guide/restore.md describes them: a store is put back to an earlier moment or loses objects, and
 * after `vdsctl reconcile --repair` every video is whole, deleted, or says why not.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import { openObjects } from '@vds/chassis/objects/objects';
import type { ServiceName } from '@vds/deploy-tools/services';
import { smallSample } from '@vds/testkit/media/make-samples';
import { serveSlowly } from '@vds/testkit/origin/routes';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { appsOf, bare, type Apps } from '../harness/apps-client.ts';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { targetKind } from '../harness/target-kind.ts';
import { walkHls } from '../hls/walk.ts';
import { snapshotDatabases } from '../probes/database-snapshot.ts';
import { documentsOf, leftoversOf } from '../probes/leftovers.ts';

type Found = { readonly kind: string; readonly owner: string; readonly video_id: string; readonly repaired: boolean };

const long = process.env['VDS_LONG'] === '1';
const owners: readonly ServiceName[] = ['ingest', 'transcode', 'captions', 'metadata'];

describe('restoring a store to an earlier moment', function () {
  this.timeout(240_000);
  let target: HostTarget;
  let partner: Partner;
  let apps: Apps;
  let clip: string;
  before(async function () {
    if (targetKind() !== 'host') skipBecause(this, 'needs databases of this host that it may put back');
    [target, clip] = await Promise.all([
      openHost({
        suffix: 'restore',
        env: { captions: { CAPTION_LANGUAGES: 'en,es,fr' }, indexer: { SWEEP_EVERY: '1s' } },
      }),
      smallSample(),
    ]);
    partner = await target.newPartner('Restores');
    apps = appsOf(target.stack);
  });
  after(async () => {
    await apps?.close();
    await target?.close();
  });

  const publish = async (title: string): Promise<string> => {
    const id = await partner.submit(await target.serve(clip), { title });
    const { status, failure } = await partner.settled(id, 120_000);
    expect(status, JSON.stringify(failure)).to.equal('ready');
    const settled = async (): Promise<boolean> => {
      const { captions = [] } = await partner.get(id);
      return captions.length > 0 && captions.every((track) => track.status !== 'processing');
    };
    await until(settled, { what: `the end of every track of ${id}`, capMs: 60_000 });
    return id;
  };
  /** Runs the operator's command; its exit code is 1 while anything is left. */
  const reconcile = async (...options: readonly string[]): Promise<{ code: number; findings: readonly Found[] }> => {
    const out: string[] = [];
    const io = { environment: { USER: 'test' }, out: (text: string) => void out.push(text), err: () => undefined };
    const env = ['--env', join(target.stack.dir, 'vdsctl.env')];
    const code = await vdsctl(['reconcile', '--json', ...options, ...env], io);
    const { findings } = JSON.parse(out[0] ?? '{"findings":[]}') as { findings: readonly Found[] };
    return { code, findings };
  };
  const repair = (...options: readonly string[]) =>
    reconcile('--repair', '--reason', 'a database was restored', ...options);
  /** Repeats the repair, as the guide says, until a comparison finds nothing. */
  const settle = (...options: readonly string[]) =>
    until(
      async () => {
        if ((await reconcile(...options)).code === 0) return true;
        await repair(...options);
        return false;
      },
      { what: 'nothing is left to repair', capMs: 120_000, everyMs: 1_000 },
    );
  const kindsOf = (findings: readonly Found[], id: string): string[] =>
    findings.filter(({ video_id: videoId }) => videoId === bare(id)).map(({ kind }) => kind);
  /** Ready, playable to its end, and found. */
  const isWhole = async (id: string, title: string): Promise<void> => {
    const { status, failure, playback } = await partner.settled(id, 120_000);
    expect(status, JSON.stringify(failure)).to.equal('ready');
    const url = `${playback?.hls_url}?token=${await target.mint(playback?.playback_id ?? '')}`;
    expect((await walkHls(url, target.scratch(`${id}-${Date.now()}`))).breaches).to.deep.equal([]);
    await until(() => apps.finds(title, id), { what: `${title} is found`, capMs: 30_000 });
  };
  const isGone = async (id: string): Promise<void> => {
    await until(async () => (await leftoversOf(target.site, id)).length === 0, {
      what: 'no object is left',
      capMs: 60_000,
    });
    await until(async () => (await documentsOf(target.site, id)).length === 0, { what: 'no document is left' });
  };
  /** Stops services, puts their databases back, and starts them again. */
  const putBack = async (services: readonly ServiceName[], restore: () => Promise<void>): Promise<void> => {
    const starts = await Promise.all(services.map((service) => target.site.end(service)));
    await restore();
    await Promise.all(starts.map((start) => start()));
  };

  it('catalog restored: what was deleted stays deleted, what was submitted since is purged, all others are whole', async () => {
    const titles = ['kept', 'deleted', 'archived'] as const;
    const [kept = '', deleted = '', archived = ''] = await Promise.all(titles.map(publish));
    target.origin.route('/slow.mkv', serveSlowly(clip, 30_000));
    const processing = await partner.submit(target.origin.url('/slow.mkv'), { title: 'processing' });
    expect((await reconcile()).findings.filter(({ kind }) => kind !== 'index_behind')).to.deep.equal([]);

    const snapshot = await snapshotDatabases(target.site, ['catalog']);
    expect((await partner.remove(deleted)).status).to.equal(200);
    expect((await partner.archive(archived)).status).to.equal(200);
    const submitted = await publish('submitted since');
    await partner.settled(processing, 120_000);
    await isGone(deleted);
    await putBack(['catalog'], snapshot.restore);
    await snapshot.close();

    await until(async () => (await reconcile()).code === 1, { what: 'the comparison finds what differs' });
    const { findings } = await reconcile();
    expect(kindsOf(findings, submitted)).to.include('unknown_video');
    expect(kindsOf(findings, deleted)).to.deep.equal(['removed_elsewhere']);
    expect(kindsOf(findings, kept)).to.deep.equal([]);
    expect(findings.some(({ repaired }) => repaired)).to.equal(false);
    await settle();

    await isWhole(kept, 'kept');
    await isWhole(processing, 'processing');
    await isWhole(archived, 'archived'); // The archive was lost with the database; nothing else was.
    await until(async () => (await partner.get(deleted)).status === 'deleted', { what: 'it is deleted again' });
    expect((await partner.call('GET', `/v1/videos/${submitted}`)).status).to.equal(404);
    await isGone(submitted);
    await isGone(deleted);
  });

  it('an object of a live video lost: the video is processed again and plays, and others are not touched', async () => {
    const [lost = '', other = ''] = await Promise.all(['lost', 'other'].map(publish));
    const { endpoint, region, rootAccessKey, rootSecretKey } = target.site.servers.s3;
    const config = { s3Endpoint: endpoint, s3Region: region, s3AccessKey: rootAccessKey, s3SecretKey: rootSecretKey };
    const media = openObjects(config, target.site.buckets.media);
    const segment = (await media.list(`videos/${bare(lost)}/`)).find((key) => key.endsWith('.m4s')) ?? '';
    await media.removePrefix(segment);
    const { code, findings } = await reconcile('--objects');
    expect([code, kindsOf(findings, lost), kindsOf(findings, other)]).to.deep.equal([1, ['objects_missing'], []]);
    const before = await media.list(`videos/${bare(other)}/`);
    await settle('--objects');
    await isWhole(lost, 'lost');
    expect(await media.list(`videos/${bare(other)}/`)).to.deep.equal(before);
    const { rows } = await target.stack
      .adminPool('catalog')
      .query<{ attempt: number }>('SELECT attempt FROM videos WHERE id = ANY($1) ORDER BY attempt', [
        [bare(lost), bare(other)],
      ]);
    expect(rows.map(({ attempt }) => attempt)).to.deep.equal([1, 2]);
  });

  for (const service of owners)
    it(`${service} restored: its work runs again beside what is played, and every video stays whole`, async function () {
      if (!long) skipBecause(this, 'takes minutes: npm run test:long');
      const early = await publish(`before ${service}`);
      target.origin.route('/slow.mkv', serveSlowly(clip, 60_000));
      const processing = await partner.submit(target.origin.url('/slow.mkv'), { title: `during ${service}` });
      const snapshot = await snapshotDatabases(target.site, [service]);
      await partner.settled(processing, 120_000);
      const late = await publish(`after ${service}`);
      const deleted = await publish(`deleted ${service}`);
      await partner.remove(deleted);
      await isGone(deleted);
      await putBack([service], snapshot.restore);
      await snapshot.close();
      await settle('--objects');
      for (const [id, title] of [
        [early, 'before'],
        [processing, 'during'],
        [late, 'after'],
      ] as const)
        await isWhole(id, `${title} ${service}`);
      await isGone(deleted);
    });

  it('all databases restored to one moment: what is played stays whole, what was submitted since is purged', async function () {
    if (!long) skipBecause(this, 'takes minutes: npm run test:long');
    const early = await publish('before all');
    const databases = ['auth', 'catalog', ...owners] as const;
    const snapshot = await snapshotDatabases(target.site, databases);
    const late = await publish('after all');
    await putBack(databases, snapshot.restore);
    await snapshot.close();
    await settle('--objects');
    await isWhole(early, 'before all');
    expect((await partner.call('GET', `/v1/videos/${late}`)).status).to.equal(404);
    await isGone(late);
  });
});
