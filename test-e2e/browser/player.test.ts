/**
 * The player page in a real browser: with a token it plays a video of the stack, in more than one rung; without a token
 * it does not.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { Pages } from '@vds/scripts/demo/open-pages';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { until } from '@vds/testkit/until';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { launchBrowser, openPlayer, type OpenedPlayer } from './open-player.ts';
import { pagesOf, publishedVideos } from './published-videos.ts';

const screenshots = fileURLToPath(new URL('../../.vds/screenshots', import.meta.url));

describe('the player page in a browser', function () {
  this.timeout(180_000);
  let partner: Partner;
  let browser: Browser | undefined;
  let server: Pages;
  let player: OpenedPlayer | undefined;
  let other: VideoRecord;

  before(async function () {
    const chromium = requireChromium(this);
    const videos = await publishedVideos();
    ({ partner, silent: other } = videos);
    server = await pagesOf(videos);
    browser = await launchBrowser(chromium);
  });
  afterEach(async () => {
    await player?.close();
    player = undefined;
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = async (bitsPerSecond?: number): Promise<OpenedPlayer> =>
    (player = await openPlayer(browser!, server.url, bitsPerSecond === undefined ? {} : { bitsPerSecond }));

  it('the player page plays past five seconds without a console error', async () => {
    const { page, playedPast, shown, problems } = await open();
    await playedPast(5);
    expect(await shown()).to.include({ state: 'playing' });
    await mkdir(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, 'player.png') });
    expect(problems).to.deep.equal([]);
  });

  it('the player page decodes pictures and sound', async () => {
    const { page, playedPast } = await open();
    await playedPast(2);
    const { frames, size, sound } = await page.evaluate<{ frames: number; size: number[]; sound: number }>(`(() => {
      const video = document.querySelector('video');
      const { totalVideoFrames } = video.getVideoPlaybackQuality();
      return { frames: totalVideoFrames, size: [video.videoWidth, video.videoHeight], sound: video.webkitAudioDecodedByteCount };
    })()`);
    expect(frames).to.be.greaterThan(30);
    expect(size[0]! / size[1]!).to.be.closeTo(16 / 9, 0.02);
    expect(sound).to.be.greaterThan(0);
  });

  it('the player changes the rung when the bandwidth changes', async () => {
    const { playedPast, throttle, shown } = await open(900_000);
    await playedPast(3);
    await throttle(null);
    const rungs = async (): Promise<string[]> => ((await shown())['rungsSeen'] ?? '').split(' ');
    await until(async () => (await rungs()).length >= 2, { what: 'a second rung', capMs: 60_000, everyMs: 250 });
    expect(new Set(await rungs()).size).to.be.at.least(2);
  });

  /** The caption that is shown over the picture now. */
  const cues = (page: OpenedPlayer['page']): Promise<string> =>
    page.evaluate<string>(`[...document.querySelector('video').textTracks]
      .filter((track) => track.mode === 'showing')
      .flatMap((track) => [...(track.activeCues ?? [])].map((cue) => cue.text)).join(' ')`);

  for (const [language, word] of [
    ['en', /\bgoalkeeper\b/i],
    ['es', /\bcampeonato\b/i],
  ] as const) {
    it(`the player shows a cue in ${language} when it is chosen from the menu`, async () => {
      const { page, playedPast, problems } = await open();
      await playedPast(1);
      await page.selectOption('#captions', language);
      await page.evaluate(`document.querySelector('video').currentTime = 4.2`);
      const shown = async (): Promise<boolean> => word.test(await cues(page));
      await until(shown, { what: `a cue with ${String(word)}`, capMs: 30_000, everyMs: 50 });
      await mkdir(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `cue-${language}.png`) });
      expect(problems).to.deep.equal([]);
    });
  }

  it('another commentator and the partner’s own captions are chosen from the menus, and both follow a seek', async () => {
    const { page, playedPast, problems } = await open();
    await playedPast(1);
    await page.selectOption('#sound', { label: 'Radio' });
    await page.selectOption('#captions', 'de');
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    for (const [second, word] of [
      [4.4, /Torwart/],
      [14.6, /Stürmerin/],
    ] as const) {
      await page.evaluate(`document.querySelector('video').currentTime = ${second}`);
      await until(async () => word.test(await cues(page)), { what: String(word), capMs: 30_000, everyMs: 50 });
      await playedPast(second + 0.5);
    }
    const heard = await page.evaluate<string>(`(() => {
      const { hls } = document.querySelector('vds-player');
      return hls.audioTracks[hls.audioTrack].name;
    })()`);
    expect(heard).to.equal('Radio');
    expect(loaded.filter((path) => /\/alternate-0\.[^/]+\/a\/seg-/.test(path))).not.to.deep.equal([]);
    expect(problems).to.deep.equal([]);
  });

  it('the player page shows the thumbnail and a storyboard of one tile a second', async () => {
    const { page, shown } = await open();
    await until(async () => (await shown())['tiles'], { what: 'the storyboard' });
    expect(Number((await shown())['tiles'])).to.be.within(24, 27);
    const widths = await page.evaluate<number[]>(`Promise.all(
      [document.querySelector('video').poster, document.querySelector('.tile i').style.backgroundImage.slice(5, -2)]
        .map(async (src) => { const image = new Image(); image.src = src; await image.decode(); return image.naturalWidth; }))`);
    expect(Math.min(...widths)).to.be.greaterThan(100);
  });

  it('the player seeks to where the storyboard is clicked', async () => {
    const { page, shown, playedPast } = await open();
    await until(async () => (await shown())['tiles'], { what: 'the storyboard' });
    const strip = await page.locator('#strip').boundingBox();
    await page.mouse.click(strip!.x + strip!.width * 0.8, strip!.y + strip!.height / 2);
    await playedPast(19.5);
  });

  it('chapters are buttons on the timeline, at their seconds, named in the language of the captions, and play from there', async () => {
    const { page, shown, playedPast, problems } = await open();
    await playedPast(0.5);
    // The page's own chapters come after these.
    await until(async () => (await shown())['scenes'], { what: 'the page has shown its findings' });
    await page.evaluate(`document.querySelector('vds-player').chapters = [
      { startMs: 15000, title: '', titles: {} },
      { startMs: 0, title: 'Kick-off', titles: { en: 'Kick-off', es: 'Saque' } },
      { startMs: 5000, title: '<b>Goal</b>', titles: { es: '¡Gol!' } },
    ]`);
    const marks = page.getByRole('group', { name: 'Chapters' }).getByRole('button');
    const names = () => marks.evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(await names()).to.deep.equal(['0:00 Kick-off', '0:05 <b>Goal</b>', '0:15 Chapter 3']);
    await marks.nth(1).hover();
    expect(await marks.nth(1).getAttribute('title')).to.equal('0:05 <b>Goal</b>');
    const bar = (await page.locator('#chapters').boundingBox())!;
    const at = async (index: number): Promise<number> =>
      ((await marks.nth(index).boundingBox())!.x - bar.x) / bar.width;
    expect(await at(1)).to.be.closeTo(5 / 25, 0.02);
    expect(await at(2)).to.be.closeTo(15 / 25, 0.02);
    await page.selectOption('#captions', 'es');
    await until(async () => (await names())[1] === '0:05 ¡Gol!', { what: 'the names in Spanish', everyMs: 20 });
    await marks.nth(2).focus();
    await page.keyboard.press('Enter');
    await playedPast(15.2);
    await until(async () => (await marks.nth(2).getAttribute('aria-current')) === 'true', {
      what: 'the third is current',
    });
    expect(problems).to.deep.equal([]);
  });

  it('the player page says that the video is archived when its stream is gone', async () => {
    await partner.archive(other.id);
    player = await openPlayer(browser!, `${server.url}?video=${other.id}`);
    await until(async () => (await player!.shown())['state'] === 'stopped', { what: 'the page stops' });
    expect(await player.page.locator('#notice').textContent()).to.include('archived');
  });
});
