/**
 * Restores, as deploy/guide/restore.md describes them: a store is rolled back or loses objects, and after `vdsctl
 * reconcile --repair` every video is complete, deleted, or says why not.
 */
import { expect } from 'chai';
import type { ServiceName } from '@vds/deploy-tools/services';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { bare } from '../harness/apps-client.ts';
import { partnerOf } from '../harness/partner-client.ts';
import { kindsOf, openRestoreStack, type RestoreStack } from '../harness/restore-stack.ts';
import { targetKind } from '../harness/target-kind.ts';
import { snapshotDatabases } from '../probes/database-snapshot.ts';
import { snapshotJetStream, type StorePart } from '../probes/jetstream-snapshot.ts';
import { dumpDatabases } from '../probes/new-postgres.ts';

const long = process.env['VDS_LONG'] === '1';
const owners: readonly ServiceName[] = ['ingest', 'transcode', 'captions', 'metadata'];

describe('restoring a store to an earlier moment', function () {
  this.timeout(300_000);
  let stack: RestoreStack;
  let emptyCatalog: Awaited<ReturnType<typeof snapshotDatabases>>;
  before(async function () {
    if (targetKind() !== 'host') skipBecause(this, 'needs databases of this host that it may put back');
    stack = await openRestoreStack();
    emptyCatalog = await snapshotDatabases(stack.target.site, ['catalog']);
  });
  after(async () => {
    await emptyCatalog?.close();
    await stack?.close();
  });

  it('catalog restored: deleted videos stay deleted, those submitted since are purged, all others are complete', async () => {
    const { partner, publish, reconcile, vdsctl } = stack;
    const titles = ['kept', 'deleted', 'archived', 'republished'] as const;
    const [kept = '', deleted = '', archived = '', republished = ''] = await Promise.all(titles.map(publish));
    const processing = await stack.submitSlowly('processing', 10_000);
    expect((await partner.archive(republished)).status).to.equal(200);
    expect((await reconcile()).findings.filter(({ kind }) => kind !== 'index_behind')).to.deep.equal([]);

    const snapshot = await snapshotDatabases(stack.target.site, ['catalog']);
    expect((await partner.remove(deleted)).status).to.equal(200);
    expect((await partner.archive(archived)).status).to.equal(200);
    expect((await partner.republish(republished)).status).to.equal(200);
    expect(await vdsctl('captions', 'rerun', republished, '--language', 'fr', '--reason', 'x')).to.include({ code: 0 });
    const submitted = await publish('submitted since');
    await partner.settled(processing, 120_000);
    await stack.tracksSettled(republished);
    await stack.isGone(deleted);
    await stack.putBack(['catalog'], snapshot.restore);
    await snapshot.close();

    await until(async () => (await reconcile()).code === 4, { what: 'the comparison finds the differences' });
    const { findings } = await reconcile();
    expect(kindsOf(findings, submitted)).to.include('unknown_video');
    expect(kindsOf(findings, deleted)).to.deep.equal(['removed_elsewhere']);
    expect(kindsOf(findings, republished)).to.include('newer_result');
    expect(kindsOf(findings, kept)).to.deep.equal([]);
    expect(findings.some(({ repaired }) => repaired)).to.equal(false);
    await stack.settle();

    await stack.isWhole(kept, 'kept');
    await stack.isWhole(processing, 'processing');
    await stack.isWhole(archived, 'archived'); // The archive was lost with the database; nothing else was.
    expect((await partner.get(republished)).status).to.equal('archived'); // As was what followed it.
    expect((await partner.republish(republished)).status).to.equal(200);
    await stack.isWhole(republished, 'republished');
    await until(async () => (await partner.get(deleted)).status === 'deleted', { what: 'it is deleted again' });
    expect((await partner.call('GET', `/v1/videos/${submitted}`)).status).to.equal(404);
    await stack.isGone(submitted);
    await stack.isGone(deleted);
  });

  it('catalog at an empty database: the repair is refused, and with the right one nothing is lost', async () => {
    const atStake = await stack.publish('at stake');
    const right = await snapshotDatabases(stack.target.site, ['catalog']);
    await stack.putBack(['catalog'], emptyCatalog.restore);
    const { code, err } = await stack.vdsctl('reconcile', '--repair', '--reason', 'x');
    expect(code).to.equal(1);
    expect(err).to.match(
      /^vdsctl: \d+ of \d+ videos would be purged .*unknown_video at transcode: \d+.*right database/,
    );
    await stack.putBack(['catalog'], right.restore);
    await right.close();
    await stack.isWhole(atStake, 'at stake');
    const isWhole = async (): Promise<boolean> => (await stack.reconcile('--objects')).code === 0;
    await until(isWhole, { what: 'nothing differs', capMs: 60_000, everyMs: 1_000 });
  });

  it('auth restored: the keys that were revoked since are revoked again, from the copy of the audit', async () => {
    const { target, vdsctl } = stack;
    const json = async <T>(...args: readonly string[]): Promise<T> =>
      JSON.parse((await vdsctl(...args, '--reason', 'x', '--json')).out) as T;
    const issue = async (): Promise<{ id: string; status: () => Promise<number> }> => {
      const publisher = await json<{ id: string }>('publisher', 'create', 'A', '--organization', 'B');
      const issued = await json<{ key: { id: string }; secret_key: string }>('key', 'issue', publisher.id);
      const { call } = partnerOf(target.site.url('gateway'), issued.secret_key);
      const status = async () => (await call('GET', '/v1/videos/vid_01kqvd00000000000000000000')).status;
      return { id: issued.key.id, status };
    };
    const [revoked, rotated, kept] = [await issue(), await issue(), await issue()];
    const snapshot = await snapshotDatabases(target.site, ['auth']);
    expect(await vdsctl('key', 'revoke', revoked.id, '--reason', 'x')).to.include({ code: 0 });
    expect(await vdsctl('key', 'rotate', rotated.id, '--reason', 'x')).to.include({ code: 0 });
    const copy = await stack.copyAudit('1h');
    await stack.putBack(['auth'], snapshot.restore);
    await snapshot.close();
    for (const key of [revoked, rotated]) {
      // The gateway reaches auth again within seconds.
      const isValid = async (): Promise<boolean> => (await key.status()) === 404;
      await until(isValid, { what: 'the key that the restore has made valid is accepted', capMs: 30_000 });
    }
    await stack.reapply(copy);
    for (const key of [revoked, rotated]) {
      const isRejected = async (): Promise<boolean> => (await key.status()) === 401;
      await until(isRejected, { what: 'the key is rejected', capMs: 30_000 });
    }
    expect(await kept.status()).to.equal(404);
  });

  it('objects of live videos lost: what they belong to is recreated, and others are not touched', async () => {
    const { publish, reconcile } = stack;
    const [lost = '', tracks = '', other = ''] = await Promise.all(['lost', 'tracks', 'other'].map(publish));
    const [media, captions] = [stack.bucket('media'), stack.bucket('captions')];
    const removeFirst = async (bucket: typeof media, id: string, suffix: string): Promise<void> => {
      const key = (await bucket.list(`videos/${bare(id)}/`)).find((one) => one.endsWith(suffix));
      await bucket.removePrefix(key ?? expect.fail(`there is no ${suffix}`));
    };
    for (const suffix of ['.m4s', 'thumbnail.jpg', 'ladder.json']) await removeFirst(media, lost, suffix);
    for (const suffix of ['.vtt', '.m3u8']) await removeFirst(captions, tracks, suffix);
    const { code, findings } = await reconcile('--objects');
    expect(code).to.equal(4);
    for (const id of [lost, tracks]) expect(kindsOf(findings, id)).to.deep.equal(['objects_missing']);
    expect(kindsOf(findings, other)).to.deep.equal([]);
    const before = await media.list(`videos/${bare(other)}/`);
    await stack.settle('--objects');
    await stack.isWhole(lost, 'lost');
    await stack.isWhole(tracks, 'tracks');
    expect(await media.list(`videos/${bare(other)}/`)).to.deep.equal(before);
    const { rows } = await stack.target.stack
      .adminPool('catalog')
      .query<{ id: string; attempt: number }>('SELECT id, attempt FROM videos WHERE id = ANY($1)', [
        [lost, tracks, other].map(bare),
      ]);
    const attempts = new Map(rows.map(({ id, attempt }) => [id, attempt]));
    expect([lost, tracks, other].map((id) => attempts.get(bare(id)))).to.deep.equal([2, 1, 1]);
  });

  it('two repairs at a time under traffic change nothing that is live', async function () {
    if (!long) skipBecause(this, 'takes a quarter of a minute: npm run test:long');
    const { partner, publish, vdsctl } = stack;
    const begun = new Date();
    const stop = new AbortController();
    const repairing = [1, 2].map(async () => {
      for (; !stop.signal.aborted;) await stack.repair('--objects');
    });
    try {
      const deleted = await publish('deleted beside');
      const live = await Promise.all(['first beside', 'second beside'].map(publish));
      for (const id of live) {
        expect((await partner.archive(id)).status).to.equal(200);
        expect((await partner.republish(id)).status).to.equal(200);
        expect(await vdsctl('captions', 'rerun', id, '--language', 'fr', '--reason', 'x')).to.include({ code: 0 });
      }
      expect((await partner.remove(deleted)).status).to.equal(200);
      await stack.isWhole(live[0] ?? '', 'first beside');
      await stack.isWhole(live[1] ?? '', 'second beside');
      await stack.isGone(deleted);
    } finally {
      stop.abort();
      await Promise.all(repairing);
    }
    const { rows } = await stack.target.stack
      .adminPool('catalog')
      .query(`SELECT video_id, was, became FROM audit WHERE action = 'reconcile' AND was <> became AND at >= $1`, [
        begun,
      ]);
    expect(rows).to.deep.equal([]);
  });

  for (const part of ['whole', 'messages', 'durables'] as const satisfies readonly StorePart[])
    it(`JetStream restored (${part}): everything that was under way ends by itself, and nothing is left to repair`, async function () {
      if (!long && part !== 'whole') skipBecause(this, 'takes half a minute: npm run test:long');
      const { partner, submitSlowly, vdsctl } = stack;
      const [kept = '', deleted = ''] = await Promise.all([`kept ${part}`, `deleted ${part}`].map(stack.publish));
      const snapshot = await snapshotJetStream(stack.serversDir);
      const across = await submitSlowly(`across ${part}`, 20_000);
      expect((await partner.archive(kept)).status).to.equal(200);
      expect(await vdsctl('captions', 'rerun', kept, '--language', 'fr', '--reason', 'x')).to.include({ code: 0 });
      expect((await partner.remove(deleted)).status).to.equal(200);
      const before = await stack.publish(`before ${part}`);
      await snapshot.restore(part);
      await snapshot.close();
      expect((await partner.republish(kept)).status).to.equal(200);
      const after = await partner.submit(await stack.target.serve(stack.clip), { title: `after ${part}` });
      for (const [id, title] of [
        [kept, 'kept'],
        [across, 'across'],
        [before, 'before'],
        [after, 'after'],
      ] as const)
        await stack.isWhole(id, `${title} ${part}`);
      await stack.isGone(deleted);
      await until(async () => (await stack.reconcile()).code === 0, {
        what: 'nothing differs',
        capMs: 60_000,
        everyMs: 1_000,
      });
    });

  for (const service of owners)
    it(`${service} restored: its work runs again beside what is played, and every video stays complete`, async function () {
      if (!long) skipBecause(this, 'takes minutes: npm run test:long');
      const { partner, publish } = stack;
      const early = await publish(`before ${service}`);
      const processing = await stack.submitSlowly(`during ${service}`, 20_000);
      const snapshot = await snapshotDatabases(stack.target.site, [service]);
      await partner.settled(processing, 120_000);
      const late = await publish(`after ${service}`);
      const deleted = await publish(`deleted ${service}`);
      await partner.remove(deleted);
      await stack.isGone(deleted);
      await stack.putBack([service], snapshot.restore);
      await snapshot.close();
      await stack.settle('--objects');
      for (const [id, title] of [
        [early, 'before'],
        [processing, 'during'],
        [late, 'after'],
      ] as const)
        await stack.isWhole(id, `${title} ${service}`);
      await stack.isGone(deleted);
    });

  // The last one: it leaves the stack at another server.
  it('all databases restored into a new PostgreSQL: what is played stays complete, what was deleted or revoked stays so', async function () {
    if (!long) skipBecause(this, 'takes minutes: npm run test:long');
    const { partner, publish, target } = stack;
    const early = await publish('before all');
    const deleted = await publish('deleted all');
    const leaver = await target.newPartner('Leaves');
    const dumps = await dumpDatabases(target.stack);
    const late = await publish('after all');
    await partner.remove(deleted);
    await stack.isGone(deleted);
    const key = /^svc_live_([0-9A-Za-z]{24})_/.exec(leaver.key)?.[1] ?? '';
    expect(await stack.vdsctl('key', 'revoke', key, '--reason', 'x')).to.include({ code: 0 });
    const copy = await stack.copyAudit('1h');

    await Promise.all(target.stack.processes.map((one) => one.kill('SIGTERM')));
    const variables = await dumps.restoreInto(stack.serversDir);
    for (const one of target.stack.processes) one.start(variables(one.service));
    await Promise.all(target.stack.processes.map((one) => one.ready()));
    await stack.reapply(copy);
    await stack.settle('--objects');

    await stack.isWhole(early, 'before all');
    expect((await partner.get(deleted)).status).to.equal('deleted');
    await stack.isGone(deleted);
    expect((await partner.call('GET', `/v1/videos/${late}`)).status).to.equal(404);
    await stack.isGone(late);
    expect((await leaver.call('GET', `/v1/videos/${early}`)).status).to.equal(401);
    await stack.isWhole(await publish('in the new server'), 'in the new server');
  });
});
