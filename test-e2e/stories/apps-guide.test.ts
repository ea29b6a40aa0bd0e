/** The page for engineers of the platform's apps: its example, run in a folder of its own with the credential of apps. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ffmpeg } from '@vds/testkit/media/render';
import { makeClip } from '@vds/testkit/media/make-clip';
import { until } from '@vds/testkit/until';
import { bare } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import { theHost } from '../harness/shared-target.ts';
import { documentsOf } from '../probes/leftovers.ts';

const GUIDE = fileURLToPath(new URL('../../deploy/guide/apps.md', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../proto/node_modules', import.meta.url));
const PROTO = fileURLToPath(new URL('../../proto', import.meta.url));

describe('the guide for apps', function () {
  this.timeout(240_000);
  let target: HostTarget;
  let folder: string | undefined;

  before(async function () {
    target = await theHost(this);
    folder = await mkdtemp(join(tmpdir(), 'vds-apps-guide-'));
    const example = /```js\n([^]*?)```/.exec(await readFile(GUIDE, 'utf8'))?.[1] ?? '';
    await writeFile(join(folder, 'apps.mjs'), example);
    // As `npm install` would put them there.
    await symlink(PACKAGES, join(folder, 'node_modules'));
  });
  after(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('the example of the guide for apps lists a feed, searches, recommends, reads chapters and transcript, plays, and plays a moment, with the credential of apps alone', async () => {
    const partner = await target.newPartner('Guided');
    const id = await partner.submit(await target.serve(await withChapters(await makeClip(), folder!)), {
      title: 'Zwischenrunde guided',
    });
    await partner.settled(id);
    const { rpc, tokens, url } = target.site;
    const targets = {
      ...{ INDEXER: rpc('indexer'), CATALOG: rpc('catalog'), AUTH: rpc('auth') },
      ...{ METADATA: rpc('metadata'), CAPTIONS: rpc('captions') },
    };
    const env = { ...targets, PLAYBACK: url('playback'), PROTO_DIR: PROTO };
    const run = () =>
      promisify(execFile)(process.execPath, ['apps.mjs'], {
        ...{ cwd: folder, env: { ...env, APPS_TOKEN: tokens.apps } },
      });
    const lines = await until(
      async () => {
        await putMoment(target.site, id);
        const { stdout } = await run();
        const all = ['chapter ', 'said ', 'Tor im Zwischenlauf'].every((one) => stdout.includes(one));
        return all && stdout.startsWith(`feed ${bare(id)} Zwischenrunde guided`) && stdout.trim().split('\n');
      },
      { what: 'the video with its chapters in the feed', capMs: 60_000, everyMs: 1_000 },
    );
    const line = (name: string): string => lines.find((one) => one.startsWith(`${name} `)) ?? '';
    expect(line('search')).to.match(/^search \S+ \d+ .+/);
    expect(lines.filter((one) => one.startsWith('chapter '))).to.deep.equal([
      'chapter 0 First half',
      'chapter 12000 Überzeit',
    ]);
    expect(lines.filter((one) => /^said en \d+ .*(?:goalkeeper|championship)/i.test(one))).not.to.deep.equal([]);
    const address = line('play').replace('play ', '');
    const master = await fetch(address);
    expect([master.status, (await master.text()).startsWith('#EXTM3U')]).to.deep.equal([200, true]);
    const moment = await fetch(line('moment').split(' ')[1] ?? '');
    const playlist = (await moment.text()).split('\n').find((one) => one.endsWith('.m3u8')) ?? '';
    const text = await (await fetch(new URL(playlist, moment.url))).text();
    // From 7.5 s to 14 s: the segments from 6 s to 18 s.
    expect(text).to.match(/#EXT-X-START:TIME-OFFSET=1\.500,PRECISE=YES\n/);
    expect(text.match(/#EXTINF:6\.0/g)).to.have.length(2);
  });
});

/** The same clip with two chapters. */
async function withChapters(clip: string, folder: string): Promise<string> {
  const chapter = (startMs: number, endMs: number, title: string): string =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${startMs}\nEND=${endMs}\ntitle=${title}\n`;
  const facts = join(folder, 'chapters.txt');
  await writeFile(facts, `;FFMETADATA1\n${chapter(0, 12_000, 'First half')}${chapter(12_000, 25_000, 'Überzeit')}`);
  const file = join(folder, 'chapters.mp4');
  await ffmpeg(['-i', clip, '-i', facts, '-map', '0', '-map_chapters', '1', '-c', 'copy', file]);
  return file;
}

/** Puts a key moment into the video's document in the index. */
async function putMoment(site: HostTarget['site'], id: string): Promise<void> {
  const [found] = await documentsOf(site, id);
  if (!found) return;
  const title = { title: 'Tor im Zwischenlauf', languageCode: 'de' };
  const moment = { startMs: 7_500, endMs: 14_000, score: 0.9, reasons: ['crowd'], ...title };
  await fetch(`${site.servers.opensearch?.url}/${found.index}/_update/${bare(id)}?refresh=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ doc: { moments: [moment], moments_at: Date.now() } }),
  });
}
