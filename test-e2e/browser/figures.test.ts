/** The page of a video's figures in a real browser, over the warehouse's own SQL. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { columns, videoColumns } from '@vds/analytics/domain/event-row';
import { queryFiles } from '@vds/analytics/outbound/duck-db';
import { writeParquet } from '@vds/analytics/outbound/write-parquet';
import { row } from '@vds/analytics/test/rows';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { viewCases } from '@vds/testkit/views/view-cases';
import { startPageServer } from '@vds/scripts/demo/page-server';
import { videoQueries } from '@vds/scripts/demo/performance-data';
import { launchBrowser } from './open-player.ts';

const VIDEO = '01jd3m8q0c7e5b9x2k4n6p8rst';

describe('the figures of a video', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'vds-figures-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  it('the page says what became of its loads, and how much of it is watched', async function () {
    const executablePath = requireChromium(this);
    const [events, titles] = [join(folder, 'events.parquet'), join(folder, 'titles.parquet')];
    const rows = viewCases.flatMap(({ viewId, reports }) =>
      reports.map((fields, at) => row({ viewId, videoId: VIDEO, eventId: `${viewId}-${at}`, state: '', ...fields })),
    );
    await writeFile(events, writeParquet(columns, rows));
    await writeFile(titles, writeParquet(videoColumns, [{ video_id: VIDEO, title: 'The <final>', version: 1 }]));
    const ask = async (sql: string) =>
      (
        await queryFiles(
          { scratch: folder, memoryBytes: 2 ** 28 },
          { events: [events], plays: [], titles: [titles] },
          sql,
        )
      ).rows;
    const readVideo = async (id: string) => {
      const { total, days, retention } = videoQueries(id);
      return { total: (await ask(total))[0] ?? {}, days: await ask(days), retention: await ask(retention) };
    };
    const absent = (): never => {
      throw new Error('is not asked');
    };
    const pages = await startPageServer({
      ...{ record: absent, token: absent, playbackUrl: 'http://127.0.0.1:1' },
      performance: { read: absent, readVideo },
    });
    const browser = await launchBrowser(executablePath);
    try {
      const page = await browser.newPage();
      await page.goto(`${pages.url}figures.html?video=vid_${VIDEO}`);
      await page.waitForSelector('body[data-state=shown]');
      const sum = (name: keyof (typeof viewCases)[number]['figures']): number =>
        viewCases.reduce((all, { figures }) => all + figures[name], 0);
      expect(await page.textContent('#title')).to.equal('The <final>');
      expect(await page.textContent('#said')).to.equal(`Loaded ${sum('loads')} times`);
      const cells = await page.locator('#figures td').allTextContents();
      expect(cells.slice(0, 4).map((cell) => Number.parseInt(cell, 10))).to.deep.equal([
        ...[sum('plays'), sum('starts'), sum('failed_starts'), sum('exits_before_start')],
      ]);
      const described = await page.getAttribute('#retention svg', 'aria-label');
      expect(described)
        .to.match(/^5 %: 100 % of the views; /)
        .and.match(/100 %: 0 % of the views$/);
      expect(await page.locator('#retention text').allTextContents()).to.include.members(['0:00', '0:30', '1:00']);
      expect((await fetch(`${pages.url}api/figures?video=x'--`)).status).to.equal(400);
    } finally {
      await browser.close();
      await pages.close();
    }
  });
});
