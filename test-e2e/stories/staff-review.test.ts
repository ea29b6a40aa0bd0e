/** A member of the operator's staff finds a late video, sees why, previews one, holds it, and suspends its publisher. */
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { makeSample } from '@vds/testkit/media/make-samples';
import { pairs } from '@vds/testkit/media/sample-list';
import { until } from '@vds/testkit/until';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { bare } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theHost } from '../harness/shared-target.ts';

type Listed = { readonly videos: readonly { readonly video_id: string; readonly publisher_id: string }[] };
type Audit = {
  readonly entries: readonly { readonly actor: string; readonly action: string; readonly reason: string }[];
};

describe('a review by staff', () => {
  let target: HostTarget;
  let partner: Partner;
  let person: Record<string, string>;
  before(async function () {
    this.timeout(120_000);
    target = await theHost(this);
    partner = await target.newPartner('Reviewed');
  });

  /** vdsctl with the environment of a shell. */
  async function run(
    environment: Record<string, string>,
    line: string,
  ): Promise<{ exit: number; out: string; err: string }> {
    const written = { out: '', err: '' };
    const exit = await vdsctl(line.split(' '), {
      environment,
      out: (text) => void (written.out += text),
      err: (text) => void (written.err += text),
    });
    return { exit, ...written };
  }
  async function as<T>(environment: Record<string, string>, line: string): Promise<T> {
    const { exit, out, err } = await run(environment, `${line} --json`);
    expect(exit, `${line}: ${err}`).to.equal(0);
    return JSON.parse(out) as T;
  }

  it('staff finds a late video of any publisher, sees why, previews a held one, suspends its publisher, and the audit names the person each time', async function () {
    this.timeout(300_000);
    const secret = parseEnv(readFileSync(join(target.stack.dir, 'vdsctl.env'), 'utf8')) as Record<string, string>;
    const { token } = await as<{ token: string }>(secret, 'staff add rosa.parks --actor founder --reason joined');
    person = { ...secret, VDSCTL_TOKEN: token };

    // A late video: its host answers 503.
    target.origin.route('/late.mp4', async (_request, response) => void response.status(503).end());
    const late = await partner.submit(target.origin.url('/late.mp4'), { sport: 'fencing' });
    const found = await as<Listed>(person, 'video list --state processing --sport fencing --since 1h');
    expect(found.videos.map(({ video_id: id }) => id)).to.include(bare(late));
    const why = async (): Promise<boolean> => (await run(person, `video show ${late}`)).out.includes('http_status 503');
    await until(why, { capMs: 60_000, everyMs: 100, what: 'why it is late' });
    const told = async () => (await partner.get(late)).message?.includes('source_server_error') ?? false;
    const isOver = async () => (await partner.get(late)).status !== 'processing';
    expect(
      await until(async () => (await told()) || ((await isOver()) && 'over'), {
        capMs: 60_000,
        what: 'what the partner reads',
      }),
    ).to.equal(true);

    // A video that is live, and what it looks like to a viewer, to staff, and after a hold.
    const sample = pairs.find((one) => one.width === 426 && one.codec === 'h264') ?? pairs[0]!;
    await copyFile(await makeSample(sample), join(target.media, 'reviewed.mkv'));
    const live = await partner.submit(target.origin.url('/reviewed.mkv'));
    expect((await partner.settled(live)).status).to.equal('ready');
    const { thumbnail_url: thumbnail, playback } = await partner.get(live);
    await as(person, `video hold ${live} --reason complaint`);
    const closed = async () => (await fetch(String(thumbnail))).status === 404;
    await until(closed, { capMs: 60_000, what: 'the thumbnail of a held video is gone' });
    expect((await partner.get(live)).thumbnail_url).to.equal(null);
    const { token: viewers } = await as<{ token: string }>(secret, `token mint ${live}`);
    expect((await fetch(`${String(playback?.hls_url)}?token=${viewers}`)).status).to.equal(404);
    const { url } = await as<{ url: string }>(person, `video preview ${live} --reason complaint`);
    const master = await fetch(url);
    expect([master.status, (await master.text()).includes('#EXTM3U')]).to.deep.equal([200, true]);

    const { publisher_id: publisher } = (await as<{ publisher_id: string }>(person, `video show ${live}`)) ?? {};
    await as(person, `publisher suspend ${publisher} --reason agreement-ended`);
    expect((await partner.call('GET', `/v1/videos/${live}`)).status).to.equal(401);

    const { entries } = await as<Audit>(secret, 'audit --actor rosa.parks --all');
    expect(entries.map(({ action }) => action)).to.deep.equal(['hold', 'video preview', 'publisher suspend']);
    await as(secret, 'staff revoke rosa.parks --actor founder --reason left');
    expect((await run(person, 'publisher list')).err).to.match(/rejects the token/);
  });
});
