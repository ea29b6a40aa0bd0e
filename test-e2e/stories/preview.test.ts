/** A member of the operator's staff watches a long title while it is being encoded; nobody else can. */
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { until } from '@vds/testkit/until';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theHost } from '../harness/shared-target.ts';
import { walkHls } from '../hls/walk.ts';

/** More pieces than are encoded at a time. */
const SECONDS = 330;
const INPUTS = ['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=15:d=${SECONDS}`];
/** Without sound: one job encodes all of it, which takes longer than pieces as small as these. */
const ENCODING = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60'];

type Preview = { readonly url: string };

describe('a preview of a title that is being encoded', () => {
  let target: HostTarget;
  let partner: Partner;
  before(async function () {
    this.timeout(180_000);
    target = await theHost(this);
    partner = await target.newPartner('Early');
    const title = await cached('long-title', 'mp4', [...INPUTS, ...ENCODING], (path) =>
      ffmpeg([...INPUTS, ...ENCODING, path]),
    );
    await copyFile(title, join(target.media, 'long-title.mp4'));
  });

  async function preview(id: string): Promise<Preview> {
    const environment = parseEnv(readFileSync(join(target.stack.dir, 'vdsctl.env'), 'utf8')) as Record<string, string>;
    let [out, said] = ['', ''];
    const line = `video preview ${id} --actor grace.hopper --json`.split(' ');
    const exit = await vdsctl(line, {
      environment,
      out: (text) => void (out += text),
      err: (text) => void (said += text),
    });
    expect([exit, said]).to.deep.equal([0, '']);
    return JSON.parse(out) as Preview;
  }

  it('staff plays the finished pieces of a title before it is ready, and partners see no difference', async function () {
    this.timeout(300_000);
    const id = await partner.submit(target.origin.url('/long-title.mp4'));
    const { url } = await preview(id);
    const begun = async (): Promise<Response | false> => {
      const response = await fetch(url);
      return response.status === 200 && response;
    };
    const master = await until(begun, { what: 'something can be played', capMs: 240_000, everyMs: 100 });
    const uri = (await master.text()).split('\n').find((line) => line.endsWith('.m3u8')) ?? '';
    const playlist = new URL(uri, master.url);
    const early = await (await fetch(playlist)).text();
    const record = await partner.get(id);
    expect([record.status, record.playback]).to.deep.equal(['processing', null]);
    expect(early).to.include('#EXT-X-PLAYLIST-TYPE:EVENT').and.not.include('#EXT-X-ENDLIST');
    expect(early.match(/#EXTINF/g)?.length).to.be.within(1, 54);

    expect((await partner.settled(id)).status).to.equal('ready');
    const whole = await (await fetch(playlist)).text();
    expect(whole.startsWith(early)).to.equal(true);
    const folder = await mkdtemp(join(tmpdir(), 'vds-early-'));
    const { breaches, rungs, audio } = await walkHls(url, folder);
    const others = breaches.filter((breach) => !breach.endsWith('the type is not VOD'));
    expect([others, rungs.length, audio]).to.deep.equal([[], 1, undefined]);
  });
});
