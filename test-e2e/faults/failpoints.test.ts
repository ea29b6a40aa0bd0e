/**
 * A service killed between two effects leaves the same as without the kill: the video becomes ready and plays, or is
 * deleted without a trace; it is charged once, and each request has one outcome. One group of points in `npm test`, all
 * of them in `npm run test:long`.
 */
import { expect } from 'chai';
import { auth } from '@vds/proto';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { noTls } from '@vds/testkit/harness/rpc-callers';
import { serveSlowly } from '@vds/testkit/origin/routes';
import { until } from '@vds/testkit/until';
import { largeClip, silentClip } from '../chaos/short-clips.ts';
import { randomOf } from '@vds/testkit/random';
import { appsOf, type Apps } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import { storedVideos } from '../harness/judge/observe-stack.ts';
import { becomesReady, chargesAreExact, isAnsweredOnce, leavesNothing } from '../harness/judge/whole-videos.ts';
import { partnerOf, type Partner } from '../harness/partner-client.ts';
import { leftoversOf } from '../probes/leftovers.ts';
import { killDuring } from './armed-services.ts';
import { groupRows, rows, unused, type Row } from './failpoint-rows.ts';
import { faultsStack } from './faults-stack.ts';

const CAP_MS = 180_000;
const SEED = 3;
const groups = groupRows(randomOf(SEED).shuffled(rows));
/** Of the rows `npm test` kills at seven, of every kind of work. */
const chosen = process.env['VDS_LONG'] === '1' ? groups : [groups[0]!.filter((_row, index) => index % 2 === 0)];

describe('a service that is killed between two effects', () => {
  let target: HostTarget;
  let partner: Partner;
  let apps: Apps;
  let clip: string;
  before(async function () {
    this.timeout(300_000);
    target = await faultsStack(this);
    apps = appsOf(target.stack);
    clip = await target.serve(await largeClip());
  });
  after(() => apps?.close());

  it('every failpoint lies in the table of forty-four rows', () => {
    expect([rows.length, unused]).to.deep.equal([44, []]);
  });

  for (const group of chosen) {
    const of = (work: Row['work']): Row[] => group.filter((row) => row.work === work);
    const names = group.map(({ service, point }) => `${service} at ${point}`);
    it(`a killed service leaves everything as without the kill: ${names.join(', ')}`, async function () {
      this.timeout(900_000);
      const invited = () => target.newPartner('Failpoints');
      partner = await until(invited, { what: 'auth answers after its restart', everyMs: 250, capMs: CAP_MS });
      const outcomes = [
        ...(await killDuring(target.stack, of('process'), processVideo)),
        ...(of('rotate').length > 0 ? await killDuring(target.stack, of('rotate'), rotateKey) : []),
        ...(await killDuring(target.stack, of('delete'), deleteVideos)),
      ];
      for (const line of outcomes) console.log(`      ${line}`);
      await chargesAreExact(target);
    });
  }

  /** As a partner does by its contract: a submission without an acknowledgement is repeated. */
  async function submit(source: string): Promise<string> {
    const video = { source_url: source, title: 'A test', language_code: 'en' };
    const accepted = async (): Promise<string | false> => {
      const { status, body } = await partner.call<{ id: string }>('POST', '/v1/videos', video);
      return status === 202 && body.id;
    };
    return until(accepted, { what: 'an accepted submission', capMs: CAP_MS, everyMs: 250 });
  }

  /** The partner's videos that are not deleted, also those whose submission had no response. */
  async function videoIds(): Promise<string[]> {
    const all = (await storedVideos(target)).map(async ({ id }) => {
      const { status, body } = await partner.call<{ status: string }>('GET', `/v1/videos/${id}`);
      return status === 200 && body.status !== 'deleted' ? [id] : [];
    });
    return (await Promise.all(all)).flat();
  }

  async function processVideo(): Promise<string> {
    await submit(clip);
    for (const id of await videoIds()) {
      await becomesReady(target, partner, apps, id);
      await isAnsweredOnce(target, id);
    }
    return 'ready';
  }

  /** Deletes the ready video, and one that is being fetched. */
  async function deleteVideos(): Promise<string> {
    const path = `/slow-${Math.random().toString(36).slice(2)}.mp4`;
    target.origin.route(path, serveSlowly(await silentClip(), 2_000));
    const slow = await submit(target.origin.url(path));
    const begun = async () => (await leftoversOf(target.site, slow)).length > 0;
    await until(begun, { what: 'the manifest of its source', capMs: CAP_MS });
    const ids = await videoIds();
    for (const id of ids) {
      const acknowledged = async () => (await partner.remove(id)).status < 300;
      await until(acknowledged, { what: `the acknowledged deletion of ${id}`, capMs: CAP_MS, everyMs: 250 });
    }
    for (const id of ids) await leavesNothing(target, partner, id);
    return 'deleted, nothing left';
  }

  /** The first call fails and leaves the old key in force; the second one replaces it. */
  async function rotateKey(): Promise<string> {
    const config = { rpcToken: target.stack.tokens.vdsctl, ...noTls };
    const admin = rpcClient(auth.AuthAdmin, { target: target.stack.rpc('auth', 'adminRpc'), config });
    const keyId = partner.key.split('_')[2] ?? '';
    // A connection that broke with the restart is opened again a little later.
    const connected = () => until(() => admin.GetKey({ keyId }), { what: 'auth answers', everyMs: 250, capMs: CAP_MS });
    const status = async () => (await partner.call('GET', `/v1/videos/vid_${'0'.repeat(26)}`)).status;
    try {
      await connected();
      expect(await admin.RotateKey({ keyId }).catch((error: unknown) => error)).to.be.instanceOf(Error);
      await until(async () => (await status()) === 404, { what: 'the old key in force', capMs: CAP_MS });
      await connected();
      const { secretKey } = await admin.RotateKey({ keyId });
      expect(await status()).to.equal(401);
      partner = partnerOf(partner.base, secretKey);
      return 'the old key stays in force until a rotation succeeds';
    } finally {
      await admin.close();
    }
  }
});
