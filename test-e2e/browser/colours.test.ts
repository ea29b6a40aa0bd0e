/**
 * Colours as viewers see them: every rung of a video in a real browser, compared with the other rungs and, for SDR,
 * with the source.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { cached, ffmpeg, ffmpegPath } from '@vds/testkit/media/render';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { until } from '@vds/testkit/until';
import { colourTagsOf } from '../hls/probe.ts';
import { walkHls } from '../hls/walk.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';
import { launchBrowser } from './open-player.ts';

const execute = promisify(execFile);

type Rgb = readonly [red: number, green: number, blue: number];

/** Patches, each a third of the picture wide and high, row by row. */
const patches: readonly (readonly [name: string, colour: string])[] = [
  ['white', '0xffffff'],
  ['gray', '0x808080'],
  ['black', '0x000000'],
  ['dark red', '0xa02828'],
  ['dark green', '0x28a028'],
  ['dark blue', '0x2828a0'],
];

type Source = {
  readonly name: string;
  /** The stored form. */
  readonly size: readonly [width: number, height: number];
  readonly rate: number;
  readonly filters?: readonly string[];
  readonly encoder: readonly string[];
  readonly rungs: number;
  /** The source whose own picture in the browser is the reference; none for HDR. */
  readonly like?: string;
};

const limited = ['scale=out_color_matrix=bt709:out_range=tv', 'format=yuv420p'];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '16'];
const bt709 = ['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];
function hdr(transfer: string): string[] {
  return [
    ...[
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p10le',
      '-color_range',
      'tv',
      '-color_trc',
      transfer,
    ],
    ...['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020'],
    ...['-x265-params', `log-level=none:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc:range=limited`],
  ];
}

const sources: readonly Source[] = [
  {
    name: '4K H.265 of 10 bits in HDR10',
    size: [3840, 2160],
    rate: 10,
    encoder: hdr('smpte2084'),
    rungs: 5,
  },
  {
    name: '1080p H.265 of 10 bits in HLG',
    size: [1920, 1080],
    rate: 10,
    encoder: hdr('arib-std-b67'),
    rungs: 5,
  },
  {
    name: '1080p60',
    size: [1920, 1080],
    rate: 60,
    filters: limited,
    encoder: [...x264, ...bt709],
    rungs: 5,
    like: '1080p60',
  },
  {
    ...{ name: '1440×1080 of wide pixels', size: [1440, 1080], rate: 25, rungs: 5, like: '1440×1080 of wide pixels' },
    filters: [...limited, 'setsar=4/3'],
    encoder: [...x264, ...bt709],
  },
  {
    name: 'portrait 1080×1920',
    size: [1080, 1920],
    rate: 25,
    filters: limited,
    encoder: [...x264, ...bt709],
    rungs: 5,
    like: 'portrait 1080×1920',
  },
  // Chromium rounds full range differently from limited range, which the service delivers.
  {
    ...{ name: '1080p of full range', size: [1920, 1080], rate: 25, rungs: 5, like: '1080p60' },
    filters: ['scale=out_color_matrix=bt709:out_range=pc', 'format=yuvj420p'],
    encoder: [...x264, ...bt709, '-color_range', 'pc'],
  },
];

function makeSource(source: Source): Promise<string> {
  const { size, rate, filters = [], encoder } = source;
  const boxes = patches.map(
    ([, colour], index) =>
      `drawbox=x=iw*${index % 3}/3:y=ih*${Math.floor(index / 3)}/3:w=iw/3+1:h=ih/3+1:color=${colour}:t=fill`,
  );
  const graph = [`testsrc2=s=${size.join('x')}:r=${rate}:d=2`, 'format=gbrp', ...boxes, ...filters].join(',');
  return cached('colours', 'mp4', [graph, encoder], (path) => ffmpeg(['-f', 'lavfi', '-i', graph, ...encoder, path]));
}

/** The mean colours of the patches in a screenshot of the picture, which is 600×600 here whatever its shape. */
async function patchesOf(page: Page, folder: string): Promise<Rgb[]> {
  const path = join(folder, 'picture.png');
  await writeFile(path, await page.screenshot({ clip: { x: 0, y: 0, width: 600, height: 600 } }));
  const labels = (letter: string): string => patches.map((_patch, index) => `[${letter}${index}]`).join('');
  const means = patches.map((_patch, index) => {
    const [x, y] = [200 * (index % 3) + 60, 200 * Math.floor(index / 3) + 60];
    return `[patch${index}]crop=80:80:${x}:${y},scale=1:1:flags=area[mean${index}];`;
  });
  const graph = `format=rgb24,split=${patches.length}${labels('patch')};${means.join('')}${labels('mean')}hstack=inputs=${patches.length}`;
  const args = ['-v', 'error', '-i', path, '-filter_complex', graph, '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1'];
  const { stdout } = await execute(ffmpegPath(), args, { encoding: 'buffer' });
  return patches.map((_patch, index): Rgb => {
    const [red = 0, green = 0, blue = 0] = stdout.subarray(3 * index);
    return [red, green, blue];
  });
}

/** Shows the frame at one second of a file in the browser. */
async function show(page: Page, file: string): Promise<void> {
  await page.setContent(`<style>body { margin: 0 } video { width: 600px; height: 600px; object-fit: fill }</style>
    <video muted></video>`);
  const body = (await readFile(file)).toString('base64');
  // A file, because the browser can seek in it; it could not in a response to the page's request.
  await page.evaluate(`fetch('data:video/mp4;base64,${body}').then((response) => response.blob()).then((blob) => {
    document.querySelector('video').src = URL.createObjectURL(blob);
  })`);
  const shown = `(() => {
    const video = document.querySelector('video');
    if (video.error) throw new Error(video.error.message);
    if (video.readyState >= 2 && video.currentTime === 0) video.currentTime = 1;
    return video.currentTime === 1 && !video.seeking && video.readyState >= 2;
  })()`;
  await until(() => page.evaluate<boolean>(shown), { what: 'the picture at one second', capMs: 20_000, everyMs: 50 });
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

describe('the colours of a video in a browser', function () {
  this.timeout(180_000);
  let target: Target;
  let partner: Partner;
  let browser: Browser | undefined;
  before(async function () {
    const chromium = requireChromium(this);
    target = await theTarget();
    partner = await target.newPartner('Colours');
    browser = await launchBrowser(chromium);
  });
  after(() => browser?.close());

  // Transcode's own tests measure the colours of the others; here two show that a browser agrees.
  const usual = ['1080p H.265 of 10 bits in HLG'];
  for (const source of sources.filter(({ name }) => process.env['VDS_LONG'] === '1' || usual.includes(name)))
    it(`every rung of ${source.name} has the colours of its source in BT.709 of limited range`, async () => {
      const path = await makeSource(source);
      const { id, status, playback } = await partner.settled(
        await partner.submit(await target.serve(path), { title: 'Colours' }),
      );
      expect(status).to.equal('ready');
      const token = await target.mint(playback?.playback_id ?? '');
      const folder = target.scratch(`colours-${id}`);
      const { rungs: variants } = await walkHls(`${playback?.hls_url}?token=${token}`, folder);
      // The original keeps the source's colours.
      const rungs = variants.filter(({ variant }) => variant.codecs.startsWith('avc1'));
      expect(rungs).to.have.length(source.rungs);
      const page = await browser!.newPage({ viewport: { width: 640, height: 640 } });
      const shown: Rgb[][] = [];
      for (const { file } of rungs) {
        expect(await colourTagsOf(file)).to.equal('yuv420p,tv,bt709,bt709,bt709');
        await show(page, file);
        shown.push(await patchesOf(page, folder));
      }
      const reference = sources.find(({ name }) => name === source.like);
      if (reference) await show(page, await makeSource(reference));
      const original = reference && (await patchesOf(page, folder));
      await page.close();
      for (const [index, [name]] of patches.entries())
        for (const channel of [0, 1, 2] as const) {
          const values = shown.map((rung) => rung[index]?.[channel] ?? Number.NaN);
          expect(spread(values), `${name}, channel ${channel}: ${values.join(' ')}`).to.be.at.most(2);
          if (original)
            for (const value of values) expect(value, name).to.be.closeTo(original[index]?.[channel] ?? Number.NaN, 3);
        }
    });
});
