/** Staff, and where the platform lets them viewers of apps, watch a long title while it is being encoded; nobody else can. */
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { AppError } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { auth } from '@vds/proto';
import { noTls } from '@vds/testkit/harness/rpc-callers';
import { run } from '@vds/testkit/servers/command';
import { expect } from 'chai';
import { cached, ffmpeg, ffmpegPath } from '@vds/testkit/media/render';
import { until } from '@vds/testkit/until';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { bare } from '../harness/apps-client.ts';
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

  /** The playlist at the address, and its text as soon as something can be played. */
  async function begin(url: string): Promise<{ playlist: URL; text: string }> {
    const begun = async (): Promise<Response | false> => {
      const response = await fetch(url);
      return response.status === 200 && response;
    };
    const master = await until(begun, { what: 'something can be played', capMs: 240_000, everyMs: 100 });
    const uri = (await master.text()).split('\n').find((line) => line.endsWith('.m3u8')) ?? '';
    const playlist = new URL(uri, master.url);
    return { playlist, text: await (await fetch(playlist)).text() };
  }

  /** How many pictures ffmpeg decodes of a playlist's first segment. */
  async function pictures(playlist: URL, text: string): Promise<number> {
    const init = /URI="([^"]+)"/.exec(text)?.[1] ?? '';
    const first = text.split('\n').find((line) => line.endsWith('.m4s')) ?? '';
    const parts = await Promise.all(
      [init, first].map(async (uri) => Buffer.from(await (await fetch(new URL(uri, playlist))).arrayBuffer())),
    );
    const file = join(await mkdtemp(join(tmpdir(), 'vds-preview-')), 'first.mp4');
    await writeFile(file, Buffer.concat(parts));
    const decoded = await run(ffmpegPath(), ['-v', 'error', '-i', file, '-f', 'framemd5', '-']);
    return decoded.split('\n').filter((line) => line.startsWith('0,')).length;
  }

  /** A token for a video that is processed, as apps ask for it. */
  async function mint(id: string): Promise<string> {
    const { rpc, tokens } = target.site;
    const config = { rpcToken: tokens.apps, ...noTls };
    const client = rpcClient(auth.AuthService, { target: rpc('auth'), config });
    try {
      return (await client.MintPlaybackToken({ videoId: bare(id), viewerId: 'viewer-1' })).token;
    } finally {
      await client.close();
    }
  }

  /** Clients of this process wait before they connect again to a server that was away. */
  async function reachesAuth(): Promise<void> {
    await until(() => target.newPartner('Again'), { what: 'auth answers after its restart', everyMs: 250 });
    await until(() => mint('vid_01kx0000000000000000000000').catch(isRefused), {
      what: 'auth answers apps',
      everyMs: 250,
    });
  }

  function isRefused(error: unknown): boolean {
    return error instanceof AppError && error.code === 'PERMISSION_DENIED';
  }

  it('viewers of apps play the finished pieces if the platform lets them, until the partner deletes the title', async function () {
    this.timeout(300_000);
    const process = target.stack.process('auth');
    const id = await partner.submit(target.origin.url('/long-title.mp4'));
    expect(await mint(id).catch((error: unknown) => error)).to.include({ code: 'PERMISSION_DENIED' });
    await process.kill('SIGTERM');
    process.start({ APPS_PREVIEW: 'true' });
    await process.ready();
    try {
      await reachesAuth();
      const url = `${target.site.url('playback')}/${bare(id)}.m3u8?token=${await mint(id)}`;
      const { playlist, text } = await begin(url);
      expect(text).to.include('#EXT-X-PLAYLIST-TYPE:EVENT').and.not.include('#EXT-X-ENDLIST');
      expect(await pictures(playlist, text)).to.be.within(15, 200);
      expect((await partner.remove(id)).status).to.equal(202);
      const from = performance.now();
      await until(async () => (await fetch(playlist)).status === 404, { what: 'it is gone', capMs: 60_000 });
      expect(performance.now() - from).to.be.below(15_000);
      expect((await fetch(url, { redirect: 'manual' })).status).to.equal(404);
    } finally {
      await process.restart();
      await reachesAuth();
    }
  });

  it('staff plays the finished pieces of a title before it is ready, and partners see no difference', async function () {
    this.timeout(300_000);
    const id = await partner.submit(target.origin.url('/long-title.mp4'));
    const { url } = await preview(id);
    const { playlist, text: early } = await begin(url);
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
