/** Discovery and player as a viewer walks through them, in each of their states, and by the rules of accessibility. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { Pages } from '@vds/scripts/demo/open-pages';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { until } from '@vds/testkit/until';
import { launchBrowser, openPlayer, type OpenedPlayer } from './open-player.ts';
import { discoverable, pagesOf, publishedVideos, type PublishedVideos } from './published-videos.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const wait = { capMs: 30_000, everyMs: 50 };

describe('the pages in a browser', function () {
  this.timeout(180_000);
  let videos: PublishedVideos;
  let browser: Browser | undefined;
  let pages: Pages;
  let opened: OpenedPlayer | undefined;

  before(async function () {
    this.timeout(300_000);
    const chromium = requireChromium(this);
    videos = await publishedVideos();
    pages = await pagesOf(videos);
    await discoverable(pages, videos);
    browser = await launchBrowser(chromium);
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  after(async () => {
    await browser?.close();
    await pages?.close();
  });

  const open = async (path: string): Promise<OpenedPlayer> =>
    (opened = await openPlayer(browser!, `${pages.url}${path}`));
  const playerOf = (id: string): string => `?video=${id}`;
  const textOf = async (page: Page, selector: string): Promise<string> =>
    (await page.locator(selector).textContent()) ?? '';
  const second = (page: Page): Promise<number> => page.evaluate(`document.querySelector('video').currentTime`);
  const stateOf = (page: Page): Promise<string> => page.evaluate('document.body.dataset.state');

  it('a viewer goes from a search to the second of the hit, to its captions, to a recommended video, and back', async () => {
    const { page, problems, playedPast } = await open('discover.html');
    await page.locator('#query').pressSequentially('goalkeeper', { delay: 20 });
    const hit = page.locator(`[data-video="${videos.spoken.id.slice(4)}"] a.snippet`).first();
    await hit.waitFor();
    expect(new URL(page.url()).searchParams.get('q')).to.equal('goalkeeper');
    expect(await hit.locator('mark').first().textContent()).to.match(/goalkeeper/i);

    await hit.click();
    await playedPast(3);
    expect(await second(page)).to.be.within(3, 15);
    expect(await textOf(page, '#why-absent')).to.match(/language is not available: no translation route to /);

    await page.locator('#tracks button[data-language="es"]').click();
    await until(async () => (await page.inputValue('#captions')) === 'es', { what: 'the menu shows Spanish', ...wait });
    const line = page.locator('#transcript [lang="es"]', { hasText: /campeonato/i }).first();
    await line.waitFor();

    await page.locator(`#similar [data-video="${videos.silent.id.slice(4)}"] a`).click();
    const none = 'No speech found, so no captions.';
    await until(async () => (await textOf(page, '#no-tracks')) === none, { what: none, ...wait });
    await page.goBack();
    await page.goBack();
    expect(await page.inputValue('#query')).to.equal('goalkeeper');
    expect(problems).to.deep.equal([]);
  });

  it('filters are in the address, and "back" undoes them', async () => {
    const { page, problems } = await open('discover.html');
    await page.locator('[data-filter="sport"][data-value="soccer"]').click();
    expect(new URL(page.url()).search).to.equal('?sport=soccer');
    await page.locator('[data-filter="category"][data-value="sports"]').click();
    expect(new URL(page.url()).search).to.equal('?sport=soccer&category=sports');
    await page.goBack();
    expect(await page.locator('[aria-pressed="true"]').allTextContents()).to.deep.equal(['soccer', 'all']);
    expect(problems).to.deep.equal([]);
  });

  it('a search without a hit, and a feed without a video, say what to do', async () => {
    const { page } = await open('discover.html?q=qwertyuiop&sport=golf');
    await page.locator('#empty').waitFor();
    expect(await textOf(page, '#empty'))
      .to.include('qwertyuiop')
      .and.include('on screen');
    await page.goto(`${pages.url}discover.html?sport=golf`);
    await page.locator('#empty').waitFor();
    expect(await textOf(page, '#empty-how')).to.include('"sport": "golf"');
  });

  it('scenes are chapters, and scenes, transcript and text on screen jump to their seconds', async () => {
    const { page, playedPast } = await open(playerOf(videos.spoken.id));
    await playedPast(0.5);
    await page.locator('#scenes button').nth(1).click();
    expect(await page.locator('#chapters > button').count()).to.equal(await page.locator('#scenes button').count());
    expect(await second(page)).to.be.greaterThan(5);
    const [, secondChapter] = await page
      .locator('#chapters > button')
      .evaluateAll((all) => all.map((one) => (one as unknown as { title: string }).title));
    expect(secondChapter).to.match(/^0:\d\d Scene 2$/);
    await page.locator('#transcript button').first().click();
    await until(async () => (await second(page)) < 5, { what: 'the transcript jumps back', ...wait });
    const text = page.locator('#texts li', { hasText: /MOTION/ }).first();
    await text.locator('button').click();
    await until(async () => (await second(page)) > 7, { what: 'the text on screen jumps', ...wait });
    const current = page.locator('#transcript [aria-current]');
    await until(async () => (await current.count()) === 1, { what: 'the transcript follows', ...wait });
    expect(await page.locator('#topics li').count()).to.be.greaterThan(2);
    expect(await textOf(page, '#labels')).to.include('soccer');
  });

  it('keys pause, seek, mute, show captions and help', async () => {
    const { page, playedPast } = await open(playerOf(videos.spoken.id));
    await playedPast(0.5);
    await page.keyboard.press(' ');
    const property = (name: string): Promise<unknown> => page.evaluate(`document.querySelector('video').${name}`);
    expect(await property('paused')).to.equal(true);
    await page.keyboard.press('5');
    expect(await second(page)).to.be.closeTo(12.5, 0.5);
    await page.keyboard.press('ArrowRight');
    expect(await second(page)).to.be.closeTo(17.5, 0.5);
    await page.keyboard.press('m');
    expect(await property('muted')).to.equal(true);
    await page.keyboard.press('c');
    expect(await page.inputValue('#captions')).to.equal('en');
    await page.keyboard.press('?');
    expect(await page.locator('#help').isVisible()).to.equal(true);
    await page.keyboard.press('Escape');
    await page.locator('#query, [name="q"]').fill('m');
    expect(await property('muted')).to.equal(true);
  });

  it('the player says why a video failed', async () => {
    const { page } = await open(playerOf(videos.failed.id));
    await until(async () => (await stateOf(page)) === 'stopped', { what: 'the page stops', ...wait });
    expect(await textOf(page, '#notice'))
      .to.include('failed at fetch')
      .and.include(videos.failed.failure?.message ?? '?');
  });

  it('an unknown video and a token that playback rejects are a sentence with the request’s id', async () => {
    const { page } = await open(playerOf(videos.spoken.id.replace(/.{8}$/, '00000000')));
    await until(async () => (await stateOf(page)) === 'failed', { what: 'the page fails', ...wait });
    expect(await textOf(page, '#notice')).to.match(/[a-z].*\(request req_[0-9a-z]{26}\)$/);
    const forged = await pagesOf(videos, () => Promise.resolve('made.up.token'));
    await page.goto(forged.url);
    await until(async () => (await stateOf(page)) === 'failed', { what: 'the stream fails', ...wait });
    expect(await textOf(page, '#notice')).to.match(
      /answered 401\. The playback token is not valid\. .* \(request req_[-0-9a-f]{36}\)$/,
    );
    await forged.close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`axe finds nothing serious on the pages in ${colorScheme}, and none scrolls sideways at 390 or 1280 px`, async () => {
      // In the dark only the colours differ.
      const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
      // Scripts of the test are not the page's: its policy would forbid them.
      const context = await browser!.newContext({ colorScheme, bypassCSP: true });
      const { spoken, silent, failed } = videos;
      const paths = [spoken, silent, failed].map(({ id }) => playerOf(id));
      const shown = [...paths, 'discover.html', 'discover.html?q=goalkeeper', 'discover.html?q=qwertyuiop'];
      const found = await Promise.all(shown.map(async (path) => check(await context.newPage(), path, rules)));
      const contract = await context.newPage();
      await contract.goto(`${videos.target.site.url('gateway')}/docs`);
      found.push(await audit(contract, '/docs', rules));
      await context.close();
      expect(found.flat()).to.deep.equal([]);
    });

  /** What is wrong with a page, in words. */
  const check = async (page: Page, path: string, rules: object): Promise<string[]> => {
    await page.goto(`${pages.url}${path}`);
    const settled = path.startsWith('?')
      ? `document.body.dataset.state === 'stopped' || document.body.dataset.scenes !== undefined`
      : `document.body.dataset.state === 'shown'`;
    await until(() => page.evaluate(settled), { what: `${path} is complete`, ...wait });
    return audit(page, path, rules);
  };
  const audit = async (page: Page, path: string, rules: object): Promise<string[]> => {
    const wrong: string[] = [];
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (wide !== width) wrong.push(`${path} is ${wide} px wide in ${width}`);
    }
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(rules)})`);
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    return [...wrong, ...serious.map(({ id, nodes }) => `${path}: ${id} of ${nodes[0]?.html}`)];
  };
});
