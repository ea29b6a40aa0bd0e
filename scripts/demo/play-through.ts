/** Plays a stream over HTTP like a headless client: master, every playlist, every segment, to the last byte. */

export type PlayedPlaylist = {
  /** Relative to the master. */
  readonly name: string;
  /** Sum of EXTINF. */
  readonly seconds: number;
  readonly segments: number;
  readonly bytes: number;
};

/**
 * Fetches everything that the stream's master names.
 * @param url address with its token
 * @param durationSeconds of the status record; every playlist must match it within 0.6 s (the record rounds)
 * @returns one row per playlist; throws one sentence if something is missing or wrong
 */
export async function playThrough(url: string, durationSeconds: number): Promise<readonly PlayedPlaylist[]> {
  const { url: master, response } = await read(url);
  const text = await response.text();
  if (!text.startsWith('#EXTM3U')) throw new Error('the master is no playlist');
  const names = [...new Set(addresses(text, /^#EXT-X-MEDIA/))];
  if (names.length === 0) throw new Error('the master names no playlist');
  const played: PlayedPlaylist[] = [];
  for (const name of names) played.push(await playPlaylist(new URL(name, master).href, master));
  const wrong = played.find(({ seconds }) => Math.abs(seconds - durationSeconds) > 0.6);
  if (wrong !== undefined) throw new Error(`${wrong.name} is ${wrong.seconds} s long, the video ${durationSeconds} s`);
  return played;
}

async function read(url: string): Promise<{ url: string; response: Response }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  if (response.status !== 200) throw new Error(`a playlist or segment answered ${response.status}`);
  return { url: response.url, response };
}

/** Addresses in a playlist: lines that are not tags, and the URI attribute of the given tags. */
function addresses(text: string, tags: RegExp): string[] {
  return lines(text).flatMap((line) => {
    if (!line.startsWith('#')) return [line];
    const uri = tags.test(line) ? /URI="([^"]+)"/.exec(line)?.[1] : undefined;
    return uri === undefined ? [] : [uri];
  });
}

function lines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}

async function playPlaylist(url: string, master: string): Promise<PlayedPlaylist> {
  const name = decodeURIComponent(new URL(url).pathname.slice(new URL('.', master).pathname.length));
  const text = await (await read(url)).response.text();
  if (!text.startsWith('#EXTM3U')) throw new Error(`${name} is no playlist`);
  if (!lines(text).includes('#EXT-X-ENDLIST')) throw new Error(`${name} does not end`);
  const seconds = [...text.matchAll(/^#EXTINF:([\d.]+)/gm)].reduce((sum, match) => sum + Number(match[1]), 0);
  let bytes = 0;
  const files = addresses(text, /^#EXT-X-MAP/);
  for (const file of files) bytes += (await (await read(new URL(file, url).href)).response.arrayBuffer()).byteLength;
  return { name, seconds, segments: files.length, bytes };
}

/** The status of the response from an address, after redirects. */
export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  await response.arrayBuffer();
  return response.status;
}
