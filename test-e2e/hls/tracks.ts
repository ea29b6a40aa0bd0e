/** Every caption track of a master, fetched segment by segment and parsed by the W3C's own WebVTT parser. */
import { parseVtt, withoutTimestampMap } from '@vds/testkit/media/parse-vtt';
import { mediaPlaylistBreaches, readMaster } from './playlist-rules.ts';

export type Cue = {
  /** Seconds from the first frame. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

export type WalkedTrack = {
  readonly name: string;
  readonly language: string;
  /** Sum of EXTINF. */
  readonly seconds: number;
  /** In order; one that crosses a segment's boundary counts once. */
  readonly cues: readonly Cue[];
};

export type WalkedTracks = {
  readonly tracks: readonly WalkedTrack[];
  /** Violations of RFC 8216 in a playlist, and the errors of the WebVTT parser. */
  readonly breaches: readonly string[];
};

/** @param hlsUrl address of the record with `?token=` */
export async function walkTracks(hlsUrl: string): Promise<WalkedTracks> {
  const { url, text } = await textOf(hlsUrl);
  const master = readMaster(text);
  const tracks: WalkedTrack[] = [];
  const breaches = [...master.breaches];
  for (const { name, language, uri } of master.subtitles) {
    const { breaches: more, ...track } = await walkTrack(name, language, new URL(uri, url).href);
    tracks.push(track);
    breaches.push(...more);
  }
  return { tracks, breaches };
}

async function textOf(url: string): Promise<{ url: string; text: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} for a caption file: ${text}`);
  return { url: response.url, text };
}

async function walkTrack(name: string, language: string, url: string): Promise<WalkedTrack & { breaches: string[] }> {
  const { text } = await textOf(url);
  const breaches = mediaPlaylistBreaches(text, 'vtt').map((breach) => `${language}: ${breach}`);
  const cues = new Map<string, Cue>();
  let seconds = 0;
  for (const [, length, uri = ''] of text.matchAll(/#EXTINF:([\d.]+),[^\n]*\n(?:#[^\n]*\n)*([^#\n][^\n]*)/g)) {
    const segment = (await textOf(new URL(uri, url).href)).text;
    // RFC 8216 §3.5: each segment maps its times to the media's; the parser knows only WebVTT's own lines.
    if (!segment.includes('\nX-TIMESTAMP-MAP=')) breaches.push(`${language} ${uri}: no X-TIMESTAMP-MAP`);
    const parsed = parseVtt(withoutTimestampMap(segment));
    breaches.push(...parsed.errors.map((error) => `${language} ${uri}: ${error}`));
    for (const { startMs, endMs, lines } of parsed.cues) {
      const [start, end, words] = [startMs / 1_000, endMs / 1_000, lines.join('\n')];
      if (start >= seconds + Number(length) || end <= seconds) breaches.push(`${language} ${uri}: a cue of elsewhere`);
      cues.set(`${start} ${end} ${words}`, { start, end, text: words });
    }
    seconds += Number(length);
  }
  return { name, language, seconds, cues: [...cues.values()], breaches };
}
