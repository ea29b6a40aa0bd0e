/** Hostile texts in a real browser: the pages show them, and nothing of them becomes an element or runs. */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { openPages, type Pages } from '@vds/scripts/demo/open-pages';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { partnerAt } from '@vds/testkit/stack/partner';
import { until } from '@vds/testkit/until';
import { launchBrowser, openPlayer, type OpenedPlayer } from '../browser/open-player.ts';
import type { VideoRecord } from '../harness/partner-client.ts';
import { RAN } from '@vds/testkit/hostile-texts';
import { textsStack, type TextsStack } from './texts-stack.ts';

const wait = { capMs: 60_000, everyMs: 100 };
/** Elements that only a text can have made. */
const FOREIGN = '[onerror], [onload], [onmouseover], [onfocus], [src="x"], iframe, base, plaintext, script:not([src])';

describe('hostile texts in a browser', function () {
  this.timeout(300_000);
  let stack: TextsStack;
  let browser: Browser | undefined;
  let pages: Pages | undefined;
  before(async function () {
    this.timeout(600_000);
    const chromium = requireChromium(this);
    stack = await textsStack();
    const { target, partner, spoken } = stack;
    pages = await openPages({
      stack: target.site,
      operator: { token: (playbackId, seconds) => target.mint(playbackId, seconds * 1_000) },
      partner: partnerAt(partner.base, partner.key),
      videos: [spoken.id],
    });
    browser = await launchBrowser(chromium);
  });
  after(async () => {
    await browser?.close();
    await pages?.close();
  });

  /** Those whose titles, summaries and tags are pieces of pages. */
  const worst = (): readonly VideoRecord[] =>
    stack.hostile.filter(({ title, tags }) => `${title} ${tags.join(' ')}`.includes(RAN));

  const opened = async (path: string, see: (player: OpenedPlayer) => Promise<void>): Promise<void> => {
    const player = await openPlayer(browser!, `${pages?.url}${path}`);
    try {
      await see(player);
      const { page, problems } = player;
      expect(await page.evaluate(`window.${RAN}`), path).to.equal(undefined);
      const foreign = `[...document.querySelectorAll(${JSON.stringify(FOREIGN)})].map((one) => one.outerHTML)`;
      expect(await page.evaluate(foreign), path).to.deep.equal([]);
      expect(problems, path).to.deep.equal([]);
    } finally {
      await player.close();
    }
  };

  it('the player shows title, summary, tags and captions of a hostile video as text, and runs nothing', async () => {
    const show = ({ id, title, summary, tags }: VideoRecord) =>
      opened(`?video=${id}`, async ({ page, playedPast }) => {
        await playedPast(0.5);
        expect(await page.locator('#title').textContent()).to.equal(title);
        expect(await page.locator('#summary').textContent()).to.equal(summary);
        expect(await page.locator('#tags li').allTextContents()).to.deep.equal(tags);
        if (id !== stack.spoken.id) return;
        await page.selectOption('#captions', 'es');
        const lines = page.locator('#transcript [lang="es"]', { hasText: '<' });
        await until(async () => (await lines.count()) > 0, { what: 'the captions beside the player', ...wait });
        await playedPast(8);
      });
    for (const video of [...worst(), stack.spoken]) await show(video);
  });

  it('the page of results shows a hostile title and the query itself as text, and runs nothing', async () => {
    for (const { id, title } of worst())
      await opened(`discover.html?q=${encodeURIComponent(title)}`, async ({ page }) => {
        const hit = page.locator(`[data-video="${id.slice(4)}"]`).first();
        await hit.waitFor({ timeout: wait.capMs });
        expect(await hit.textContent()).to.include(title);
      });
    const query = `<svg/onload=window.${RAN}=1>unheard`;
    await opened(`discover.html?q=${encodeURIComponent(query)}`, async ({ page }) => {
      await until(async () => (await page.inputValue('#query')) === query, { what: 'the query in its field', ...wait });
    });
  });
});
