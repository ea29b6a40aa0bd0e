/**
 * What players report in a real browser before and at the start of a view: whether anybody asked to play. The page has hls.js
 * with `reportViews`, or a bare video element with `reportElement`; the test's server takes their beacons.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { ffmpeg } from '@vds/testkit/media/render';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { until } from '@vds/testkit/until';
import { launchBrowser } from './open-player.ts';

const MODULES: Readonly<Record<string, string>> = {
  '/hls.mjs': readFileSync(join(dirname(fileURLToPath(import.meta.resolve('hls.js'))), 'hls.mjs'), 'utf8'),
  '/analytics.js': stripTypeScriptTypes(
    readFileSync(new URL('../../services/_player-analytics/src/player-analytics.ts', import.meta.url), 'utf8'),
  ),
};
const PLAYERS = {
  'hls.js': `import Hls from '/hls.mjs';
    import { reportViews } from '/analytics.js';
    const views = reportViews(video, url, { interval: 1 });
    const hls = new Hls({ cmcd: views });
    hls.on(Hls.Events.ERROR, views.onError);
    hls.loadSource(url);
    hls.attachMedia(video);`,
  'a video element': `import { reportElement } from '/analytics.js';
    const views = reportElement(video, url, { interval: 1 });
    video.addEventListener('error', () => views.fail('MEDIA_ERR_' + video.error.code));
    video.src = url.replace('stream.m3u8', 'stream.mp4');`,
} as const;
type Player = keyof typeof PLAYERS;
type Line = Readonly<Record<string, string>>;

describe('what players report of a view that begins', function () {
  this.timeout(60_000);
  let folder: string;
  let server: Server;
  let origin: string;
  let browser: Browser;
  let pages = 0;
  const lines: Line[] = [];
  before(async function () {
    const chromium = requireChromium(this);
    folder = await mkdtemp(join(tmpdir(), 'vds-view-reports-'));
    const input = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=4', '-f', 'lavfi', '-i', 'sine=d=4'];
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10', '-c:a', 'aac'];
    await ffmpeg([...input, ...codecs, '-movflags', '+faststart', join(folder, 'stream.mp4')]);
    const hls = ['-f', 'hls', '-hls_time', '1', '-hls_playlist_type', 'vod'];
    await ffmpeg([...input, ...codecs, ...hls, join(folder, 'stream.m3u8')]);
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://test');
      if (request.method === 'POST') {
        const body = await text(request);
        // What an earlier page sends while it closes is not of this one.
        if (pathname.startsWith(`/p/${pages}/`)) lines.push(...body.trim().split('\n').map(parse));
        response.writeHead(204).end();
      } else if (pathname === '/') response.setHeader('content-type', 'text/html').end(pageOf(searchParams));
      else if (MODULES[pathname] !== undefined)
        response.setHeader('content-type', 'text/javascript').end(MODULES[pathname]);
      else
        await readFile(join(folder, pathname.slice(1))).then(
          (bytes) => response.end(bytes),
          () => response.writeHead(404).end(),
        );
    };
    server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser(chromium, { blocksAutoplay: true });
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Opens a page of its own; `act` ends before it is left. Returns all that was reported. */
  async function reported(player: Player, attributes: string, act: (page: Page) => Promise<unknown>, file = 'stream') {
    pages += 1;
    lines.splice(0);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/?${new URLSearchParams({ player, attributes, file, token: String(pages) }).toString()}`);
    await act(page);
    await page.goto('about:blank');
    await until(() => lines.some((line) => line['cen'] === 'hide'), { what: 'the last report' });
    await context.close();
    return lines.slice();
  }
  const asked = (all: readonly Line[]): boolean => all.some((line) => line['com.vds-ask'] === '1');
  const started = (all: readonly Line[]): boolean => all.some((line) => line['com.vds-su'] !== undefined);
  const time = () => until(() => lines.length > 0, { what: 'a report' });
  const loaded = (page: Page) => page.waitForFunction("document.querySelector('video').readyState >= 2");

  for (const player of Object.keys(PLAYERS) as Player[]) {
    it(`${player}: a page that is opened and left asks for nothing`, async () => {
      const all = await reported(player, '', (page) => loaded(page).then(time));
      expect(all.map((line) => line['sta'])).to.include('d');
      expect(asked(all) || started(all)).to.equal(false);
    });

    it(`${player}: a click asks, and its first picture counts from there`, async () => {
      let startupMs = 0;
      const all = await reported(player, 'controls', async (page) => {
        await page.evaluate(`document.querySelector('video').addEventListener('click', () => {
          const from = performance.now();
          document.querySelector('video').addEventListener('playing', () => (window.startupMs = performance.now() - from), { once: true });
        }, { capture: true, once: true })`);
        await loaded(page);
        await page.waitForTimeout(250);
        await page.click('video');
        await page.waitForFunction("document.querySelector('video').currentTime > 0.5");
        startupMs = await page.evaluate<number>('window.startupMs');
      });
      expect(all[0]).to.include({ 'com.vds-ask': '0' });
      expect(asked(all) && started(all)).to.equal(true);
      const last = all.at(-1) ?? {};
      expect(Number(last['com.vds-su'])).to.be.below(startupMs + 250);
      expect(Number(last['com.vds-w'])).to.be.within(300, 3_000);
      expect(Number(last['com.vds-seen'])).to.be.above(0);
    });

    it(`${player}: an autoplay that the browser allows asks, and one that it blocks does not`, async () => {
      const playing = (page: Page) => page.waitForFunction("document.querySelector('video').currentTime > 0.2");
      const allowed = await reported(player, 'autoplay muted', playing);
      expect(asked(allowed) && started(allowed)).to.equal(true);
      // Chromium lets a media source begin before it has any sound: then something was played.
      if (player === 'hls.js') return;
      const blocked = await reported(player, 'autoplay', (page) => loaded(page).then(time));
      expect(asked(blocked) || started(blocked), JSON.stringify(blocked)).to.equal(false);
    });

    it(`${player}: a seek before the start asks for nothing`, async () => {
      const all = await reported(player, '', async (page) => {
        await loaded(page);
        await page.evaluate("document.querySelector('video').currentTime = 2");
        await page.waitForFunction("!document.querySelector('video').seeking");
        await time();
      });
      expect(asked(all) || started(all)).to.equal(false);
    });

    it(`${player}: a video that is not there fails without a start`, async () => {
      const failed = () => until(() => lines.some((line) => line['cen'] === 'fail'), { what: 'the failure' });
      const all = await reported(player, 'autoplay muted', failed, 'missing');
      expect(asked(all)).to.equal(true);
      expect(started(all)).to.equal(false);
      expect(all.find((line) => line['cen'] === 'fail')?.['com.vds-err']).to.match(/manifestLoadError|MEDIA_ERR_4/);
    });
  }
});

function pageOf(query: URLSearchParams): string {
  const player = PLAYERS[query.get('player') as Player].replaceAll('stream.m', `${query.get('file') ?? ''}.m`);
  return `<!doctype html><video ${query.get('attributes') ?? ''} width="320" height="180"></video>
    <script type="module">
      const video = document.querySelector('video');
      const url = new URL('/${query.get('file') ?? ''}.m3u8?token=${query.get('token') ?? ''}', location.href).href;
      ${player}
    </script>`;
}

/** A flat dictionary of structured fields. */
function parse(line: string): Line {
  return Object.fromEntries(
    line.split(',').map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name, value.replaceAll('"', '')];
    }),
  );
}
