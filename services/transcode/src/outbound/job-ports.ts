/** What a unit of work has at hand: its scratch folder, the two buckets, the tools. All of it ends with the unit. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@vds/chassis/errors';
import type { Objects } from '@vds/chassis/objects/objects';
import { byLine } from '@vds/chassis/sandbox/programs';
import { sniffLength } from '../domain/source/sniff.ts';
import { attemptPrefix } from '../domain/hls/object-keys.ts';
import { sourceName } from '../domain/plan/encode-arguments.ts';
import type { CutPorts } from '../domain/units/cut-title.ts';
import type { Pipe, PiecePorts } from '../domain/units/encode-piece.ts';
import type { InspectPorts } from '../domain/units/inspect-source.ts';
import { runTool, type MediaTools } from './media-tools.ts';
import { driveWalk, readHead, readIfThere, withPackets } from './scratch-files.ts';

export type Deps = {
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly tools: MediaTools;
  readonly sources: Objects;
  readonly media: Objects;
};

export type DeskTitle = {
  readonly videoId: string;
  readonly attempt: number;
  readonly sourceKey: string;
  readonly sourceBytes: number;
};

const minute = 60_000;
/** A segment, an init segment and a sheet never change. */
const forGood = 'private, max-age=31536000, immutable';

export type EncodeDeps = Deps & {
  /** Below the attempt. */
  readonly folder: string;
  readonly progress: (percent: number) => void;
  readonly timeoutMs: number;
};

/** At hand for `inspectSource`. */
export function inspectPorts(desk: Deps, title: DeskTitle): InspectPorts {
  const path = join(desk.scratch, sourceName);
  const run = { scratch: desk.scratch, signal: desk.signal, timeoutMs: 10 * minute };
  return {
    fetch: () => fetchSource(desk, title),
    head: () => readHead(path, sniffLength),
    walk: (walk) => driveWalk(path, walk),
    probe: (args) => runTool(desk.tools, 'ffprobe', args, run),
    lines: async (args, line) => void (await runTool(desk.tools, 'ffprobe', args, { ...run, onOutput: byLine(line) })),
    packets: (demuxer, work) => withPackets(path, demuxer, work),
  };
}

async function fetchSource(desk: Deps, title: DeskTitle): Promise<number> {
  const bytes = await desk.sources.getToFile(title.sourceKey, join(desk.scratch, sourceName), desk.signal);
  if (bytes !== title.sourceBytes)
    throw new AppError('UNAVAILABLE', `${bytes} of ${title.sourceBytes} bytes of the source arrived`);
  return bytes;
}

/**
 * At hand for `encodePiece` and `encodeAudio`.
 * @param copied key in the media bucket of the piece's copy; undefined: the whole source is read
 */
export function encodePorts(desk: EncodeDeps, title: DeskTitle, copied?: string): PiecePorts {
  return {
    fetch: async (name) => {
      if (copied === undefined) await fetchSource(desk, title);
      else await desk.media.getToFile(copied, join(desk.scratch, name), desk.signal);
    },
    encode: async (args, pipes) => {
      const { scratch, signal, timeoutMs } = desk;
      await runTool(desk.tools, 'ffmpeg', args, { scratch, signal, timeoutMs, pipes: pipes.map(asReader) });
    },
    put: put(desk, title),
    read: (name) => readIfThere(join(desk.scratch, name)),
    progress: desk.progress,
  };
}

function asReader(pipe: Pipe) {
  return (stream: Readable) => pipe(stream as AsyncIterable<Uint8Array>);
}

function put(desk: EncodeDeps, title: DeskTitle): PiecePorts['put'] {
  return (name, body, contentType) => {
    desk.signal.throwIfAborted();
    const key = `${attemptPrefix(title.videoId, title.attempt)}${desk.folder}/${name}`;
    return desk.media.putBytes(key, body, { contentType, cacheControl: forGood });
  };
}

/** At hand for `cutTitle`. */
export function cutPorts(desk: EncodeDeps, title: DeskTitle): CutPorts {
  return {
    fetch: async () => void (await fetchSource(desk, title)),
    copy: async (args) => {
      const { scratch, signal, timeoutMs } = desk;
      await runTool(desk.tools, 'ffmpeg', args, { scratch, signal, timeoutMs });
    },
    move: async (file, name) => {
      desk.signal.throwIfAborted();
      const path = join(desk.scratch, file);
      const key = `${attemptPrefix(title.videoId, title.attempt)}${desk.folder}/${name}`;
      await desk.media.putFile(key, path, { contentType: 'application/octet-stream' });
      await rm(path);
    },
    progress: desk.progress,
  };
}
