/** The ports of a job: its scratch folder, the two buckets, the tools. All of them end with the job. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@vds/chassis/errors';
import type { Objects } from '@vds/chassis/objects/objects';
import { byLine } from '@vds/chassis/sandbox/programs';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import { sniffLength } from '../domain/source/sniff.ts';
import { sourceName } from '../domain/plan/encode-arguments.ts';
import type { CutPorts } from '../domain/jobs/cut-title.ts';
import type { Pipe, PiecePorts } from '../domain/jobs/encode-piece.ts';
import type { InspectPorts } from '../domain/jobs/inspect-source.ts';
import { runTool, type MediaTools } from './media-tools.ts';
import { driveWalk, readHead, readIfThere, withPackets } from './scratch-files.ts';

export type Deps = {
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly tools: MediaTools;
  readonly sources: Objects;
  readonly media: Objects;
};

export type JobSource = {
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

/** Ports of `inspectSource`. */
export function inspectPorts(deps: Deps, title: JobSource): InspectPorts {
  const path = join(deps.scratch, sourceName);
  const run = { scratch: deps.scratch, signal: deps.signal, timeoutMs: 10 * minute };
  return {
    fetch: () => fetchSource(deps, title),
    head: () => readHead(path, sniffLength),
    walk: (walk) => driveWalk(path, walk),
    probe: (args) => runTool(deps.tools, 'ffprobe', args, run),
    lines: async (args, line) => void (await runTool(deps.tools, 'ffprobe', args, { ...run, onOutput: byLine(line) })),
    packets: (demuxer, work) => withPackets(path, demuxer, work),
  };
}

async function fetchSource(deps: Deps, title: JobSource): Promise<number> {
  const bytes = await deps.sources.getToFile(title.sourceKey, join(deps.scratch, sourceName), deps.signal);
  if (bytes !== title.sourceBytes)
    throw new AppError('UNAVAILABLE', `${bytes} of ${title.sourceBytes} bytes of the source arrived`);
  return bytes;
}

/**
 * Ports of `encodePiece` and `encodeAudio`.
 * @param copied key in the media bucket of the piece's copy; undefined: the whole source is read
 */
export function encodePorts(deps: EncodeDeps, title: JobSource, copied?: string): PiecePorts {
  return {
    fetch: async (name) => {
      if (copied === undefined) await fetchSource(deps, title);
      else await deps.media.getToFile(copied, join(deps.scratch, name), deps.signal);
    },
    encode: async (args, pipes) => {
      const { scratch, signal, timeoutMs } = deps;
      await runTool(deps.tools, 'ffmpeg', args, { scratch, signal, timeoutMs, pipes: pipes.map(asReader) });
    },
    put: put(deps, title),
    read: (name) => readIfThere(join(deps.scratch, name)),
    progress: deps.progress,
  };
}

function asReader(pipe: Pipe) {
  return (stream: Readable) => pipe(stream as AsyncIterable<Uint8Array>);
}

function put(deps: EncodeDeps, title: JobSource): PiecePorts['put'] {
  return (name, body, contentType) => {
    deps.signal.throwIfAborted();
    const key = `${attemptPrefix(title.videoId, title.attempt)}${deps.folder}/${name}`;
    return deps.media.putBytes(key, body, { contentType, cacheControl: forGood });
  };
}

/** Ports of `cutTitle`. */
export function cutPorts(deps: EncodeDeps, title: JobSource): CutPorts {
  return {
    fetch: async () => void (await fetchSource(deps, title)),
    copy: async (args) => {
      const { scratch, signal, timeoutMs } = deps;
      await runTool(deps.tools, 'ffmpeg', args, { scratch, signal, timeoutMs });
    },
    move: async (file, name) => {
      deps.signal.throwIfAborted();
      const path = join(deps.scratch, file);
      const key = `${attemptPrefix(title.videoId, title.attempt)}${deps.folder}/${name}`;
      await deps.media.putFile(key, path, { contentType: 'application/octet-stream' });
      await rm(path);
    },
    progress: deps.progress,
  };
}
