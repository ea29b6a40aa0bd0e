/** An HLS client that fetches everything: master, every rung, every segment; each rung is joined into one file. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaPlaylistBreaches, readMaster, type Variant } from './playlist-rules.ts';

export type WalkedRendition = {
  /** Init segment and all segments, one playable fragmented MP4. */
  readonly file: string;
  /** Sum of EXTINF, in seconds. */
  readonly seconds: number;
  readonly segments: number;
  /** Peak segment bit rate, bits a second (RFC 8216 §1). */
  readonly peak: number;
};

export type Walk = {
  readonly masterUrl: string;
  readonly rungs: readonly (WalkedRendition & { readonly variant: Variant })[];
  readonly audio: WalkedRendition | undefined;
  /** Violations of RFC 8216 in any playlist. */
  readonly breaches: readonly string[];
};

type SegmentSize = { readonly seconds: number; readonly bits: number };

/**
 * Walks a whole stream.
 * @param hlsUrl address of the record with `?token=`
 * @param folder where the joined renditions are written
 */
export async function walkHls(hlsUrl: string, folder: string): Promise<Walk> {
  await mkdir(folder, { recursive: true });
  const response = await fetchOk(hlsUrl);
  const masterUrl = response.url;
  const master = readMaster(await response.text());
  const breaches = master.breaches.map((breach) => `master: ${breach}`);
  const rungs: (WalkedRendition & { variant: Variant })[] = [];
  for (const [index, variant] of master.variants.entries()) {
    const walked = await rendition(new URL(variant.uri, masterUrl).href, join(folder, `rung-${index}.mp4`));
    breaches.push(...walked.breaches);
    rungs.push({ ...walked, variant });
  }
  const [audioUri] = master.audioUris;
  const audio =
    audioUri === undefined ? undefined : await rendition(new URL(audioUri, masterUrl).href, join(folder, 'audio.mp4'));
  if (audio) breaches.push(...audio.breaches);
  for (const { variant, peak } of rungs) {
    const whole = peak + (audio?.peak ?? 0);
    if (variant.bandwidth < peak)
      breaches.push(`master: ${variant.uri} says ${variant.bandwidth} b/s, a segment needs ${Math.round(whole)}`);
  }
  return { masterUrl, rungs, audio, breaches };
}

async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  if (response.status !== 200)
    throw new Error(
      `${response.status} for ${new URL(url).pathname.replace(/\/p\/[^/]+/, '/p/…')}: ${await response.text()}`,
    );
  return response;
}

async function rendition(url: string, file: string): Promise<WalkedRendition & { breaches: string[] }> {
  const text = await (await fetchOk(url)).text();
  const breaches = mediaPlaylistBreaches(text).map((breach) => `${file}: ${breach}`);
  const map = /#EXT-X-MAP:.*URI="([^"]+)"/.exec(text)?.[1];
  const chunks = map === undefined ? [] : [await bytesOf(new URL(map, url).href)];
  const sizes: SegmentSize[] = [];
  for (const [, length, uri] of text.matchAll(/#EXTINF:([\d.]+),[^\n]*\n(?:#[^\n]*\n)*([^#\n][^\n]*)/g)) {
    const body = await bytesOf(new URL(uri ?? '', url).href);
    chunks.push(body);
    sizes.push({ seconds: Number(length), bits: body.length * 8 });
  }
  await writeFile(file, Buffer.concat(chunks));
  const target = Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(text)?.[1]);
  const seconds = sizes.reduce((sum, segment) => sum + segment.seconds, 0);
  return { file, seconds, segments: sizes.length, peak: peakRate(sizes, target), breaches };
}

async function bytesOf(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetchOk(url)).arrayBuffer());
}

/**
 * "The largest bit rate of any contiguous set of segments whose total duration is between 0.5 and 1.5 times the target
 * duration" (RFC 8216 §4.3.4.2): a short last segment does not count alone.
 */
export function peakRate(sizes: readonly SegmentSize[], target: number): number {
  let peak = 0;
  for (let from = 0; from < sizes.length; from += 1) {
    let seconds = 0;
    let bits = 0;
    for (const segment of sizes.slice(from)) {
      seconds += segment.seconds;
      bits += segment.bits;
      if (seconds > 1.5 * target) break;
      if (seconds >= 0.5 * target) peak = Math.max(peak, bits / seconds);
    }
  }
  return peak;
}
