/**
 * An excerpt in a real browser and in ffmpeg: the first picture is the wanted one, the sound is in step with it, captions
 * come at their moments, and nothing is stored for it. Each picture of the source has its number in black and white.
 */
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { auth } from '@vds/proto';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { noTls } from '@vds/testkit/harness/rpc-callers';
import { cached, ffmpeg, ffmpegPath } from '@vds/testkit/media/render';
import { requireChromium } from '@vds/testkit/programs/chromium';
import { until } from '@vds/testkit/until';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theHost } from '../harness/shared-target.ts';
import { objectsOf } from '../probes/leftovers.ts';
import { launchBrowser } from './open-player.ts';

const execute = promisify(execFile);
const script = join(dirname(fileURLToPath(import.meta.resolve('hls.js'))), 'hls.min.js');

const [SECONDS, RATE, BITS] = [50, 25, 11];
/** A tone begins every so many seconds. */
const TONE_EVERY = 5;
/** In the middle of a segment and of a group of pictures, at its border, and a moment before one. */
const starts = [21_480, 24_000, 29_960] as const;
const LASTS_MS = 9_000;

/** Each column of a picture is white where its number has that bit; a tone begins every five seconds. */
function makeSource(): Promise<string> {
  const picture = `color=black:s=352x64:r=${RATE}:d=${SECONDS},format=gray,geq=lum='if(mod(floor(N/pow(2,floor(X/32))),2),235,16)',format=yuv420p`;
  const sound = `aevalsrc='0.8*sin(2*PI*1000*t)*lt(mod(t,${TONE_EVERY}),0.2)':s=48000:d=${SECONDS}`;
  const how = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-c:a', 'aac'];
  return cached('numbered', 'mp4', [picture, sound, how], (path) =>
    ffmpeg(['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound, ...how, path]),
  );
}

/** The number of a picture of which a row of bits has been read. */
function numberOf(lumas: Iterable<number>): number {
  return [...lumas].reduce((sum, luma, bit) => sum + (luma > 128 ? 2 ** bit : 0), 0);
}

describe('an excerpt', function () {
  this.timeout(240_000);
  let target: HostTarget;
  let partner: Partner;
  let video: VideoRecord;
  let browser: Browser | undefined;

  before(async function () {
    const chromium = requireChromium(this);
    target = await theHost(this);
    partner = await target.newPartner('Excerpts');
    video = await partner.settled(await partner.submit(await target.serve(await makeSource()), { title: 'Numbered' }));
    expect(video.status).to.equal('ready');
    browser = await launchBrowser(chromium);
  });
  after(() => browser?.close());

  /** The address with a token, as an app mints it. */
  const addressOf = async (startMs: number, endMs: number): Promise<string> => {
    const { rpc, tokens } = target.site;
    const client = rpcClient(auth.AuthService, { target: rpc('auth'), config: { rpcToken: tokens.apps, ...noTls } });
    try {
      const playbackId = video.playback?.playback_id ?? '';
      const excerpt = { startMs, endMs };
      const { token } = await client.MintPlaybackToken({ playbackId, durationMs: SECONDS * 1_000, excerpt });
      return `${video.playback?.hls_url}?token=${token}`;
    } finally {
      await client.close();
    }
  };

  /** Seconds of its first segment that players skip. */
  const offsetOf = async (address: string): Promise<string> => {
    const master = await fetch(address);
    const media = new URL((await master.text()).split('\n').find((line) => line.endsWith('.m3u8')) ?? '', master.url);
    return /#EXT-X-START:TIME-OFFSET=([\d.]+),PRECISE=YES/.exec(await (await fetch(media)).text())?.[1] ?? '';
  };

  /** The number of the first picture that the browser shows, and the moment of the video at which it ends. */
  const firstShown = async (address: string): Promise<{ number: number; end: number }> => {
    const page = await browser!.newPage();
    try {
      await page.setContent('<video muted></video>');
      await page.addScriptTag({ path: script });
      await page.evaluate(`(() => {
        const video = document.querySelector('video');
        const canvas = Object.assign(document.createElement('canvas'), { width: 352, height: 64 });
        const context = canvas.getContext('2d');
        window.shown = { fatal: null };
        video.requestVideoFrameCallback(() => {
          context.drawImage(video, 0, 0, 352, 64);
          window.shown.lumas = Array.from({ length: ${BITS} }, (_, bit) => context.getImageData(bit * 32 + 16, 32, 1, 1).data[0]);
        });
        const hls = new Hls();
        hls.on(Hls.Events.ERROR, (_event, { details, fatal }) => { if (fatal) window.shown.fatal ??= details; });
        hls.on(Hls.Events.MANIFEST_PARSED, () => void video.play());
        video.addEventListener('ended', () => { window.shown.end = hls.playingDate?.getTime(); });
        video.defaultPlaybackRate = video.playbackRate = 8;
        hls.loadSource(${JSON.stringify(address)});
        hls.attachMedia(video);
      })()`);
      type Shown = { readonly fatal: string | null; readonly lumas?: number[]; readonly end?: number };
      const shown = await until(
        async () => {
          const now = await page.evaluate<Shown>('window.shown');
          return (now.fatal !== null || (now.lumas && now.end !== undefined)) && now;
        },
        { what: 'the excerpt has been played', capMs: 40_000, everyMs: 100 },
      );
      expect(shown.fatal).to.equal(null);
      return { number: numberOf(shown.lumas ?? []), end: shown.end ?? 0 };
    } finally {
      await page.close();
    }
  };

  it('begins in Chromium with the wanted picture, and ends with the segment of its last', async () => {
    for (const startMs of starts) {
      const { number, end } = await firstShown(await addressOf(startMs, startMs + LASTS_MS));
      const offMs = (number / RATE) * 1_000 - startMs;
      process.stdout.write(`first picture in Chromium: ${offMs} ms from ${startMs} ms, ended at ${end} ms\n`);
      expect(Math.abs(offMs), `${startMs}`).to.be.at.most(300);
      expect(end - startMs - LASTS_MS).to.be.within(-300, 6_300);
    }
  });

  it('begins in ffmpeg with the wanted picture, and its sound is in step with its pictures', async () => {
    for (const startMs of starts) {
      const address = await addressOf(startMs, startMs + LASTS_MS);
      // ffmpeg begins with the first segment; where players begin is what the playlist says.
      const offset = await offsetOf(address);
      const input = ['-v', 'info', '-nostdin', '-ss', offset, '-i', address];
      const decode = (args: readonly string[]) =>
        execute(ffmpegPath(), [...input, ...args], { encoding: 'buffer', maxBuffer: 2 ** 28 });
      const { stdout: pixels, stderr: said } = await decode([
        ...['-map', '0:v:0', '-vf', `scale=${BITS}:1:flags=area,format=gray,showinfo`, '-fps_mode', 'passthrough'],
        ...['-f', 'rawvideo', 'pipe:1'],
      ]);
      const times = [...said.toString().matchAll(/pts_time:([\d.]+)/g)].map(([, time]) => Number(time));
      const numbers = times.map((_time, index) => numberOf(pixels.subarray(index * BITS, (index + 1) * BITS)));
      const offMs = ((numbers[0] ?? 0) / RATE) * 1_000 - startMs;
      expect(Math.abs(offMs), `${startMs}`).to.be.at.most(300);
      expect(numbers).to.deep.equal(numbers.map((_number, index) => (numbers[0] ?? 0) + index));
      const { stderr: heard } = await decode(['-map', '0:a:0', '-af', 'silencedetect=n=-30dB:d=1', '-f', 'null', '-']);
      const onsets = [...heard.toString().matchAll(/silence_end: ([\d.]+)/g)].map(([, time]) => Number(time));
      expect(onsets).not.to.deep.equal([]);
      for (const onset of onsets) {
        const shownAt = times.find((_time, index) => (numbers[index] ?? 1) % (TONE_EVERY * RATE) === 0 && Math.abs(times[index]! - onset) < 1); // prettier-ignore
        const apartMs = Math.round((onset - (shownAt ?? Number.NaN)) * 1_000);
        process.stdout.write(
          `ffmpeg, ${startMs} ms: first picture ${offMs} ms away, sound ${apartMs} ms from its picture\n`,
        );
        expect(Math.abs(apartMs)).to.be.at.most(45);
      }
    }
  });

  it('stores nothing', async () => {
    const before = await objectsOf(target.site, target.stack.buckets.analytics);
    const master = await fetch(await addressOf(1_000, 31_000));
    const media = new URL((await master.text()).split('\n').find((line) => line.endsWith('.m3u8')) ?? '', master.url);
    const segments = (await (await fetch(media)).text()).split('\n').filter((line) => line.endsWith('.m4s'));
    for (const uri of segments) expect((await fetch(new URL(uri, media))).status).to.equal(200);
    expect(segments).to.have.length.above(4);
    const after = await objectsOf(target.site, target.stack.buckets.analytics);
    expect(after).to.deep.equal(before);
  });

  it('closes with its video', async () => {
    const address = await addressOf(1_000, 5_000);
    const { url } = await fetch(address);
    await partner.archive(video.id);
    await until(async () => (await fetch(url)).status === 404 && (await fetch(address)).status === 404, {
      ...{ what: 'the archived video’s excerpt is closed', capMs: 60_000, everyMs: 250 },
    });
  });
});
