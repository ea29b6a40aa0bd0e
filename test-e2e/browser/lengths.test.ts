/** Videos whose sound and pictures are of different length in the source, played to their end by hls.js in Chromium. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { until } from '@vds/testkit/until';
import { theTarget } from '../harness/shared-target.ts';
import { launchBrowser } from './open-player.ts';

/** In long runs every second is played, else those around the ends of sound, pictures and buffers. */
const isLong = process.env['VDS_LONG'] === '1';
/** Chromium plays no faster; at more than four times the usual rate it plays no sound. */
const RATE = isLong ? 4 : 16;
const script = join(dirname(fileURLToPath(import.meta.resolve('hls.js'))), 'hls.min.js');

/** Of hls.js; it buffers up to ten minutes of pictures as small as these by default. */
const settings: readonly (readonly [name: string, config: object])[] = [
  ['its defaults', {}],
  ['a buffer of ten seconds', { maxBufferLength: 10, maxMaxBufferLength: 10 }],
];

type Source = { readonly pictures: number; readonly sound: number; readonly seeks: readonly number[] };

const sources: readonly (readonly [name: string, source: Source])[] = [
  ['twenty minutes whose sound ends after twenty seconds', { pictures: 1_200, sound: 20, seeks: [595, 1_180] }],
  ['half a minute whose sound lasts fifteen seconds longer', { pictures: 30, sound: 45, seeks: [] }],
];

/** One tiny picture a second, and a tone. */
function makeSource({ pictures, sound }: Source): Promise<string> {
  const inputs = [
    ...['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=1:d=${pictures}`],
    ...['-f', 'lavfi', '-i', `sine=440:r=48000:d=${sound}`],
  ];
  const how = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '2', '-c:a', 'aac'];
  return cached('lengths', 'mp4', [inputs, how], (path) => ffmpeg([...inputs, ...how, path]));
}

type Played = {
  readonly at: number;
  readonly lasts: number;
  readonly ended: boolean;
  /** Nothing has moved for 20 s. */
  readonly stuck: boolean;
  readonly stalls: number;
  readonly fatal: string | null;
};

/** Plays a stream from its beginning, and on from each of the given seconds, to its end. */
async function play(browser: Browser, url: string, config: object, seeks: readonly number[]): Promise<Played> {
  const page = await browser.newPage();
  try {
    await page.setContent('<video muted></video>');
    await page.addScriptTag({ path: script });
    await page.evaluate(`(() => {
      const video = document.querySelector('video');
      const hls = new Hls(${JSON.stringify(config)});
      window.played = { fatal: null, stalls: 0 };
      hls.on(Hls.Events.ERROR, (_event, { details, fatal }) => {
        if (fatal) window.played.fatal ??= details;
        if (details === 'bufferStalledError') window.played.stalls++;
      });
      hls.on(Hls.Events.MANIFEST_PARSED, () => {
        video.playbackRate = ${RATE};
        void video.play();
      });
      hls.loadSource(${JSON.stringify(url)});
      hls.attachMedia(video);
    })()`);
    for (const second of isLong ? [] : seeks) {
      const there = await hasPlayed(page, 30);
      if (there.stuck) return there;
      await page.evaluate(`document.querySelector('video').currentTime = ${second}`);
    }
    return await hasPlayed(page, Infinity);
  } finally {
    await page.close();
  }
}

/** Waits until this many seconds were played since the last seek, or the end is reached, or nothing moves any more. */
async function hasPlayed(page: Page, seconds: number): Promise<Played> {
  const state = (): Promise<Omit<Played, 'stuck'>> =>
    page.evaluate(`(() => {
      const { currentTime: at, duration: lasts, ended } = document.querySelector('video');
      return { ...window.played, at, lasts, ended };
    })()`);
  const { at: from } = await state();
  let [last, moved] = [from, Date.now()];
  const reached = async (): Promise<Played | false> => {
    const now = await state();
    if (now.at !== last) [last, moved] = [now.at, Date.now()];
    const stuck = Date.now() - moved > 20_000;
    return (stuck || now.ended || now.fatal !== null || now.at > from + seconds) && { ...now, stuck };
  };
  return until(reached, { what: 'the end of the video', capMs: 600_000, everyMs: 100 });
}

describe('videos whose sound and pictures are of different length in a browser', function () {
  this.timeout(900_000);
  let browser: Browser | undefined;
  const urls = new Map<string, string>();
  before(async function () {
    const chromium = requireChromium(this);
    const target = await theTarget();
    const partner = await target.newPartner('Lengths');
    browser = await launchBrowser(chromium);
    const publish = async ([name, source]: (typeof sources)[number]): Promise<void> => {
      const address = await target.serve(await makeSource(source));
      const { status, playback } = await partner.settled(await partner.submit(address, { title: name }));
      expect(status).to.equal('ready');
      urls.set(name, `${playback?.hls_url}?token=${await target.mint(playback?.playback_id ?? '')}`);
    };
    await Promise.all(sources.map(publish));
  });
  after(() => browser?.close());

  for (const [name, source] of sources)
    it(`hls.js plays ${name} to its end, with its defaults and with a buffer of ten seconds`, async () => {
      const { pictures, sound, seeks } = source;
      const played = await Promise.all(settings.map(([, config]) => play(browser!, urls.get(name)!, config, seeks)));
      for (const [index, { at, lasts, ended, stalls, fatal }] of played.entries()) {
        const how = `${settings[index]?.[0]}: at ${at} of ${lasts} s, ${stalls} stalls`;
        if (isLong) console.log(`      ${how}`);
        expect({ ended, fatal }, how).to.deep.equal({ ended: true, fatal: null });
        expect(lasts, how).to.be.closeTo(Math.max(pictures, sound), 0.1);
        expect(at, how).to.be.closeTo(lasts, 0.1);
      }
    });
});
