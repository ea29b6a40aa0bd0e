/** Rules of RFC 8216 and of our own that every playlist of a finished video must satisfy. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { Parser } from 'm3u8-parser';
import type { LadderDocument } from '@vds/proto/documents/ladder';

type Manifest = {
  readonly endList?: boolean;
  readonly targetDuration?: number;
  readonly version?: number;
  readonly independentSegments?: boolean;
  readonly segments: readonly {
    readonly uri: string;
    readonly duration: number;
    readonly map?: { readonly uri: string };
  }[];
};

/** What is wrong with the playlists of a video, one sentence each. */
export async function playlistFaults(folder: string, ladder: LadderDocument): Promise<string[]> {
  const renditions = [...ladder.rungs, ...(ladder.audio ? [ladder.audio] : [])];
  const all = await Promise.all(renditions.map(({ playlist, bandwidth }) => faultsOf(folder, playlist, bandwidth)));
  return all.flat();
}

async function faultsOf(folder: string, playlist: string, bandwidth: number): Promise<string[]> {
  const text = await readFile(join(folder, playlist), 'utf8');
  const { segments, endList, targetDuration = 0, version = 0, independentSegments } = parse(text);
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): void => void (holds || faults.push(`${playlist}: ${fault}`));
  must(text.startsWith('#EXTM3U\n'), 'does not begin with #EXTM3U');
  must(endList === true, 'does not end');
  must(version >= 6, 'EXT-X-MAP needs version 6');
  must(independentSegments === true, 'segments are not declared independent');
  must(segments.length > 0, 'has no segment');
  const here = join(folder, dirname(playlist));
  for (const { uri, duration, map } of segments) {
    must(Math.round(duration) <= targetDuration, `${uri} lasts ${duration} s, the target is ${targetDuration}`);
    must(map !== undefined, `${uri} has no init segment`);
    for (const name of [uri, map?.uri ?? '']) {
      must(!/^[a-z]+:|^\//i.test(name), `${name} is not relative`);
      must(!normalize(join(dirname(playlist), name)).startsWith('..'), `${name} leaves the attempt`);
    }
    const { size } = await stat(join(here, uri));
    must((size * 8) / duration <= bandwidth * 1.001 || duration < targetDuration / 2, `${uri} is above BANDWIDTH`);
  }
  must(new Set(segments.map(({ uri }) => uri)).size === segments.length, 'names a segment twice');
  return faults;
}

function parse(text: string): Manifest {
  const parser = new Parser();
  parser.push(text);
  parser.end();
  return parser.manifest as unknown as Manifest;
}
