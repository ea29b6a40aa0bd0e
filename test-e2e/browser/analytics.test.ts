/**
 * One view in a real browser, from the screen to the organization's SQL: what the page's own log says was played, stalled
 * and failed is what the warehouse says.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openPages, type Pages } from '@vds/scripts/demo/open-pages';
import { makeClip } from '@vds/testkit/media/make-clip';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { partnerAt } from '@vds/testkit/stack/partner';
import { until } from '@vds/testkit/until';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theHost } from '../harness/shared-target.ts';
import { launchBrowser, openPlayer, type OpenedPlayer } from './open-player.ts';

/**
 * Runs in the page before anything else. It sees media events before any other listener, and samples the position of the
 * picture: what moved is what was watched, whatever the player says.
 */
const LOG = `
  window.seenByTest = { moved: 0, waits: 0, waited: 0 };
  let last, waitingSince, seeking = false, started = false;
  const video = () => document.querySelector('video');
  setInterval(() => {
    const at = video()?.currentTime;
    if (at === undefined) return;
    if (last !== undefined && at > last && at - last < 0.5) seenByTest.moved += (at - last) * 1000;
    last = at;
  }, 20);
  const endWait = () => {
    if (waitingSince !== undefined) seenByTest.waited += performance.now() - waitingSince;
    waitingSince = undefined;
  };
  document.addEventListener('seeking', () => { seeking = true; endWait(); }, true);
  document.addEventListener('playing', () => { seeking = false; started = true; endWait(); }, true);
  document.addEventListener('pause', endWait, true);
  document.addEventListener('waiting', () => {
    if (seeking || !started || waitingSince !== undefined) return;
    waitingSince = performance.now();
    seenByTest.waits += 1;
  }, true);
`;
type Log = { readonly moved: number; readonly waits: number; readonly waited: number };

describe('performance data of a view in a browser', function () {
  this.timeout(240_000);
  let target: HostTarget;
  let partner: Partner;
  let video: VideoRecord;
  let browser: Browser | undefined;
  let pages: Pages;
  let player: OpenedPlayer;

  before(async function () {
    const chromium = requireChromium(this);
    target = await theHost(this);
    partner = await target.newPartner('Watched');
    await target.newPartner('Rival');
    const id = await partner.submit(await target.serve(await makeClip()), { title: 'A watched match' });
    video = await partner.settled(id);
    const token = (playbackId: string, seconds: number) => target.mint(playbackId, seconds * 1_000);
    const { base, key } = partner;
    pages = await openPages({ stack: target.site, operator: { token }, partner: partnerAt(base, key), videos: [id] });
    browser = await launchBrowser(chromium);
    player = await openPlayer(browser, pages.url, { initScript: LOG });
  });
  after(async () => {
    await player?.close();
    await browser?.close();
    await pages?.close();
  });

  const query = async <Row>(sql: string, organization = 'Watched'): Promise<Row[]> => {
    let text = '';
    const write = (part: string) => void (text += part);
    const env = join(target.stack.dir, 'vdsctl.env');
    const argv = ['analytics', 'query', sql, '--organization', organization, '--env', env, '--json'];
    expect(await vdsctl(argv, { environment: {}, out: write, err: write }), text).to.equal(0);
    return (JSON.parse(text) as { rows: Row[] }).rows;
  };
  const log = (): Promise<Log> => player.page.evaluate<Log>('seenByTest');
  const element = (script: string): Promise<unknown> =>
    player.page.evaluate(`document.querySelector('video').${script}`);

  it('the organization’s views say what was seen: time, a seek, a pause, a stall and a fatal error', async () => {
    const { page, playedPast, throttle } = player;
    await playedPast(4);
    await element('pause()');
    await until(async () => element('paused'), { what: 'the pause' });
    await element('play()');
    await playedPast(6);
    await element('currentTime = 12');
    await playedPast(13);
    // Nothing comes any more until the buffer is empty.
    await throttle(1);
    await until(async () => (await log()).waits > 0, { what: 'a stall', capMs: 60_000, everyMs: 50 });
    await throttle(null);
    await until(async () => element('readyState > 2'), { what: 'the picture moves again', capMs: 60_000 });
    await partner.archive(video.id);
    const notice = page.locator('#notice');
    await until(async () => (await player.shown())['state'] === 'stopped', { what: 'it fails', capMs: 60_000 }).catch(
      async () => expect(await notice.textContent()).to.include('archived'),
    );
    const seen = await log();

    const plays = await until(
      async () => {
        const rows = await query<Record<string, unknown>>('SELECT * FROM plays');
        return rows.length === 1 && rows[0]?.['has_failed'] === true && rows;
      },
      { what: 'the play in the views', capMs: 60_000, everyMs: 500 },
    );
    const [play = {}] = plays;
    expect(Number(play['watched_ms'])).to.be.closeTo(seen.moved, 500);
    expect(Number(play['stalls'])).to.equal(seen.waits);
    expect(Number(play['stalled_ms'])).to.be.closeTo(seen.waited, 500);
    expect(play).to.include({ video_title: 'A watched match', device_type: 'desktop' });
    expect(String(play['error_code'])).to.match(/LoadError|LoadTimeOut/);
    expect(Number(play['startup_ms'])).to.be.within(1, 30_000);
    console.log(
      `      watched ${String(play['watched_ms'])} ms (seen ${Math.round(seen.moved)}), stalls ${String(play['stalls'])} of ${seen.waits}, stalled ${String(play['stalled_ms'])} ms (seen ${Math.round(seen.waited)}), ${String(play['error_code'])}`,
    );
  });

  it('another organization sees nothing of it, and no event has a token or an address', async () => {
    expect(await query('SELECT * FROM events', 'Rival')).to.deep.equal([]);
    const events = JSON.stringify(await query('SELECT * FROM events'));
    expect(events).to.not.match(/eyJ[\w-]{20}|127\.0\.0\.1|HeadlessChrome\//);
  });
});
