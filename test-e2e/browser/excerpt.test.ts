/**
 * An excerpt in a real browser and in ffmpeg: the first picture is the wanted one, the sound is in step with it, captions
 * come at their moments, and nothing is stored for it. Each picture of the source has its number in black and white.
 */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
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
import { mediaPlaylistBreaches } from '../hls/playlist-rules.ts';
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

/**
 * Each column of a picture is white where its number has that bit; a tone begins every five seconds, and a caption with its
 * second every four.
 */
function makeSource(): Promise<string> {
  const picture = `color=black:s=352x64:r=${RATE}:d=${SECONDS},format=gray,geq=lum='if(mod(floor(N/pow(2,floor(X/32))),2),235,16)',format=yuv420p`;
  const sound = `aevalsrc='0.8*sin(2*PI*1000*t)*lt(mod(t,${TONE_EVERY}),0.2)':s=48000:d=${SECONDS}`;
  const cues = Array.from(
    { length: 12 },
    (_, index) => `${index + 1}\n${clock(4 * index)} --> ${clock(4 * index + 3)}\nSekunde ${4 * index}.\n`,
  );
  const how = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-c:a', 'aac', '-c:s', 'mov_text', '-metadata:s:s:0', 'language=deu']; // prettier-ignore
  return cached('numbered', 'mp4', [picture, sound, cues, how], async (path) => {
    const captions = `${path}.srt`;
    await writeFile(captions, cues.join('\n'));
    const inputs = [...['-f', 'lavfi', '-i', picture], ...['-f', 'lavfi', '-i', sound], '-i', captions];
    await ffmpeg([...inputs, ...how, path]);
    await rm(captions);
  });
}

function clock(seconds: number): string {
  return `00:00:${String(seconds).padStart(2, '0')},000`;
}

type Shown = {
  readonly fatal: string | null;
  /** Of the first picture, at its bits. */
  readonly lumas?: readonly number[];
  /** The moment of the video at which it ended, in milliseconds. */
  readonly end?: number;
  /** Moments, those of the looks before them, and what was shown. */
  readonly captions?: readonly (readonly [at: number, before: number, text: string])[];
};

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
    const hasCaptions = async () => (await masterOf(await addressOf(0, 5_000))).text.includes('LANGUAGE="de"');
    await until(hasCaptions, { what: 'the provided captions', capMs: 120_000, everyMs: 250 });
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

  const masterOf = async (address: string): Promise<{ text: string; url: string }> => {
    const response = await fetch(address);
    return { text: await response.text(), url: response.url };
  };

  /** The first variant's playlist. */
  const playlistOf = async (address: string): Promise<{ text: string; url: URL }> => {
    const master = await masterOf(address);
    const url = new URL(master.text.split('\n').find((line) => line.endsWith('.m3u8')) ?? '', master.url);
    return { text: await (await fetch(url)).text(), url };
  };

  /** What the browser shows of an excerpt, played to its end. */
  const played = async (address: string): Promise<Required<Shown>> => {
    const page = await browser!.newPage();
    try {
      await page.setContent('<video muted></video>');
      await page.addScriptTag({ path: script });
      await page.evaluate(`(() => {
        const video = document.querySelector('video');
        const canvas = Object.assign(document.createElement('canvas'), { width: 352, height: 64 });
        const context = canvas.getContext('2d');
        const shown = (window.shown = { fatal: null, captions: [] });
        video.requestVideoFrameCallback(() => {
          context.drawImage(video, 0, 0, 352, 64);
          shown.lumas = Array.from({ length: ${BITS} }, (_, bit) => context.getImageData(bit * 32 + 16, 32, 1, 1).data[0]);
          video.playbackRate = 3;
        });
        const hls = new Hls();
        const at = () => hls.playingDate?.getTime();
        let looked;
        hls.on(Hls.Events.ERROR, (_event, { details, fatal }) => { if (fatal) shown.fatal ??= details; });
        hls.on(Hls.Events.MANIFEST_PARSED, () => void video.play());
        setInterval(() => {
          const track = [...video.textTracks].find(({ language }) => language === 'de');
          if (track && track.mode !== 'showing') track.mode = 'showing';
          const now = at();
          if (now === undefined) return;
          for (const { text } of track?.activeCues ?? []) shown.captions.push([now, looked ?? now, text]);
          looked = now;
        }, 40);
        video.addEventListener('ended', () => { shown.end = at(); });
        hls.loadSource(${JSON.stringify(address)});
        hls.attachMedia(video);
      })()`);
      const all = async (): Promise<Required<Shown> | false> => {
        const now = await page.evaluate<Shown>('window.shown');
        expect(now.fatal).to.equal(null);
        return now.lumas !== undefined && now.end !== undefined && (now as Required<Shown>);
      };
      return await until(all, { what: 'the excerpt has been played', capMs: 40_000, everyMs: 100 });
    } finally {
      await page.close();
    }
  };

  it('an excerpt begins in Chromium with the wanted picture, its captions come at their seconds, and it ends with the segment of its last', async () => {
    for (const startMs of starts) {
      const { lumas, end, captions } = await played(await addressOf(startMs, startMs + LASTS_MS));
      const offMs = Math.round((numberOf(lumas) / RATE) * 1_000 - startMs);
      expect(Math.abs(offMs), `${startMs}`).to.be.at.most(300);
      expect(end - startMs - LASTS_MS).to.be.within(-300, 6_300);
      const firsts = new Map(
        captions.toReversed().map(([at, before, text]) => [Number(/\d+/.exec(text)?.[0]) * 1_000, { at, before }]),
      );
      expect(firsts.size, JSON.stringify(captions)).to.be.at.least(2);
      for (const [second, { at, before }] of firsts) {
        const dueMs = Math.max(second, startMs);
        expect(at - dueMs, `caption of ${second} ms`).to.be.at.least(-100);
        expect(before - dueMs, `caption of ${second} ms`).to.be.at.most(700);
      }
    }
  });

  it('an excerpt begins in ffmpeg with the wanted picture, and its sound is in step with its pictures', async () => {
    for (const startMs of starts) {
      const address = await addressOf(startMs, startMs + LASTS_MS);
      // ffmpeg begins with the first segment; where players begin is what the playlist says.
      const offset = Number(
        /#EXT-X-START:TIME-OFFSET=([\d.]+),PRECISE=YES/.exec((await playlistOf(address)).text)?.[1],
      );
      const input = ['-v', 'info', '-nostdin', '-i', address];
      const decode = (args: readonly string[]) =>
        execute(ffmpegPath(), [...input, ...args], { encoding: 'buffer', maxBuffer: 2 ** 28 });
      const { stdout: pixels, stderr: said } = await decode([
        ...['-map', '0:v:0', '-vf', `scale=${BITS}:1:flags=area,format=gray,showinfo`, '-fps_mode', 'passthrough'],
        ...['-f', 'rawvideo', 'pipe:1'],
      ]);
      const times = [...said.toString().matchAll(/pts_time:([\d.]+)/g)].map(([, time]) => Number(time));
      const numbers = times.map((_time, index) => numberOf(pixels.subarray(index * BITS, (index + 1) * BITS)));
      const first = times.findIndex((time) => time - (times[0] ?? 0) >= offset - 0.001);
      const offMs = Math.round(((numbers[first] ?? 0) / RATE) * 1_000 - startMs);
      expect(Math.abs(offMs), `${startMs}`).to.be.at.most(300);
      expect(numbers).to.deep.equal(numbers.map((_number, index) => (numbers[0] ?? 0) + index));
      const { stderr: heard } = await decode(['-map', '0:a:0', '-af', 'silencedetect=n=-30dB:d=1', '-f', 'null', '-']);
      const onsets = [...heard.toString().matchAll(/silence_end: ([\d.]+)/g)]
        .map(([, time]) => Number(time))
        .filter((time) => time < times.at(-1)! - 0.5); // the end of the sound is none
      expect(onsets).not.to.deep.equal([]);
      for (const onset of onsets) {
        const shownAt = times.find((_time, index) => (numbers[index] ?? 1) % (TONE_EVERY * RATE) === 0 && Math.abs(times[index]! - onset) < 1); // prettier-ignore
        const apartMs = Math.round((onset - (shownAt ?? Number.NaN)) * 1_000);
        expect(Math.abs(apartMs)).to.be.at.most(45);
      }
    }
  });

  it('playing an excerpt stores nothing', async () => {
    const before = await objectsOf(target.site, target.stack.buckets.analytics);
    const { text, url } = await playlistOf(await addressOf(1_000, 31_000));
    expect(mediaPlaylistBreaches(text)).to.deep.equal([]);
    const segments = text.split('\n').filter((line) => line.endsWith('.m4s'));
    for (const uri of segments) expect((await fetch(new URL(uri, url))).status).to.equal(200);
    expect(segments).to.have.length.above(4);
    const after = await objectsOf(target.site, target.stack.buckets.analytics);
    expect(after).to.deep.equal(before);
  });

  it('an excerpt closes with its video once that is archived', async () => {
    const address = await addressOf(1_000, 5_000);
    const { url } = await fetch(address);
    await partner.archive(video.id);
    await until(async () => (await fetch(url)).status === 404 && (await fetch(address)).status === 404, {
      ...{ what: 'the archived video’s excerpt is closed', capMs: 60_000, everyMs: 250 },
    });
  });
});
