/** Every text file of a stream: its playlists and its captions, and what of a caption file is not allowed there. */
import { parseVtt, withoutTimestampMap } from '@vds/testkit/media/parse-vtt';
import { urisOf } from '../hls/playlist-rules.ts';

/** By name below the master: playlists and WebVTT files. */
export type StreamTexts = ReadonlyMap<string, string>;

const MASTER = 'master.m3u8';

/** @param hlsUrl address of the record with `?token=` */
export async function streamTexts(hlsUrl: string): Promise<StreamTexts> {
  const found = new Map<string, string>();
  const read = async (url: string): Promise<string> => {
    const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
    if (response.status !== 200) throw new Error(`${response.status} for a file of a stream`);
    const { pathname } = new URL(response.url);
    const text = await response.text();
    found.set(pathname.replace(/^\/p\/[^/]+\/[^/]+\//, ''), text);
    const playlists = pathname.endsWith('.m3u8') ? urisOf(text).filter((uri) => /\.(m3u8|vtt)$/.test(uri)) : [];
    for (const uri of playlists) await read(new URL(uri, response.url).href);
    return pathname;
  };
  const master = await read(hlsUrl);
  if (!master.endsWith(MASTER)) throw new Error(`the stream begins with ${master}`);
  return found;
}

/** The playlists, without the mark of the attempt that made each folder: of one clip, all else is the same. */
export function playlistsOf(texts: StreamTexts): Readonly<Record<string, string>> {
  const unmarked = (text: string): string => text.replaceAll(/\.1-[\da-f]{12}\b/g, '');
  const playlists = [...texts].filter(([name]) => name.endsWith('.m3u8'));
  return Object.fromEntries(playlists.map(([name, text]) => [unmarked(name), unmarked(text)]));
}

/**
 * What is wrong with a caption file, line by line: after its header it has nothing but numbered cues of one or two
 * escaped lines, whatever was spoken.
 */
export function captionFaults(name: string, document: string): string[] {
  const plain = withoutTimestampMap(document);
  const [header, ...blocks] = plain.replace(/\n$/, '').split('\n\n');
  const faults = blocks.flatMap((block) =>
    blockFaults(block).map((fault) => `${name}: ${fault} in ${JSON.stringify(block)}`),
  );
  const { cues, errors } = parseVtt(plain);
  return [
    ...(header === 'WEBVTT' ? [] : [`${name}: the header is ${JSON.stringify(header)}`]),
    ...(cues.length === blocks.length || document === ''
      ? []
      : [`${name}: ${blocks.length} blocks are ${cues.length} cues`]),
    ...errors.map((error) => `${name}: ${error}`),
    ...faults,
  ];
}

const timing = /^\d\d:\d\d:\d\d\.\d{3} --> \d\d:\d\d:\d\d\.\d{3}$/;
const escaped = /^(?:[^&<>]|&(?:amp|lt|gt);)*$/u;
/** Controls, line separators, and overrides of direction; an isolate keeps a score in its order. */
const unwanted = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e]/u;

function blockFaults(block: string): string[] {
  const [number = '', times = '', ...lines] = block.split('\n');
  return [
    ...(/^\d+$/.test(number) ? [] : ['no number']),
    ...(timing.test(times) ? [] : ['no times']),
    ...(lines.length >= 1 && lines.length <= 2 ? [] : [`${lines.length} lines`]),
    ...(lines.every((line) => line !== '' && escaped.test(line)) ? [] : ['an unescaped line']),
    ...(lines.some((line) => unwanted.test(line)) ? ['a character that changes more than its own place'] : []),
  ];
}
