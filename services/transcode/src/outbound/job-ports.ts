/** The ports of a job: its scratch folder, the two buckets, the tools. All of them end with the job. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import type { Objects } from '@vds/chassis/objects/objects';
import { createMemoryBudget } from '@vds/chassis/sandbox/memory-budget';
import { byLine, withMemory } from '@vds/chassis/sandbox/programs';
import { attemptPrefix, newJobFolder } from '@vds/chassis/objects/keys';
import type { EncodePorts } from '../domain/jobs/encode-ports.ts';
import type { FetchedSource, InspectPorts } from '../domain/jobs/inspect-source.ts';
import { immutable } from '../domain/object-keys.ts';
import { sourceName } from '../domain/plan/encode-arguments.ts';
import { probeMemory, toolLimits, type ToolLimits } from '../domain/plan/work-estimate.ts';
import { SNIFF_LENGTH } from '../domain/source/sniff.ts';
import { holds, type ByteRange } from '../domain/source/source-index.ts';
import { LISTED_BYTES } from '../domain/source/stored-packets.ts';
import { runTool, type MediaTools } from './media-tools.ts';
import { copyRanges } from './source-parts.ts';
import { repairSource } from './repair-source.ts';
import { driveWalk, readHead, readIfExists, withPackets } from './scratch-files.ts';

/** No packet's headers are longer. */
const MAX_HEADERS = 65_536;
/** Packets behind a piece that its copy may hold as well. */
const COPIED_ON = 1_000;

export type Deps = {
  readonly scratch: string;
  readonly tools: MediaTools;
  readonly sources: Objects;
  readonly media: Objects;
};

/** What ports need of the job that they serve. */
export type SourceJob = {
  readonly name: string;
  readonly fence: number;
  readonly videoId: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Of the job alone: each new value shows that it moves. */
  readonly progress: (percent: number) => void;
  readonly request: { readonly sourceKey: string; readonly sourceBytes: number };
};

export type EncodeOptions = Pick<EncodePorts, 'folder' | 'progress'> & {
  readonly limits: ToolLimits;
  /** Of one program of the job, in bytes. */
  readonly memoryBytes: number;
  /** Key in the media bucket of the piece's copy; undefined: the whole source is read. */
  readonly copyKey: string | undefined;
  /** Of its programs; the usual one unless given. */
  readonly niceness?: number;
  readonly packetsKey: string | undefined;
  readonly readWhole: () => void;
  readonly copyRejected: () => void;
};

/**
 * The limits of a tool; its files may be twice the source (a piece is copied with up to a group of pictures on either
 * side; stills are small).
 */
function limitsOf({ request, signal }: SourceJob, limits: ToolLimits) {
  return { signal, ...limits, fileBytes: 2 * request.sourceBytes + 256 * 1024 * 1024 };
}

/** Ports of `inspectSource`. */
export function inspectPorts(deps: Deps, job: SourceJob): InspectPorts {
  const { scratch, tools } = deps;
  const path = join(scratch, sourceName);
  const run = (pixels = 0) => {
    const limits = toolLimits({ pixels, bytes: job.request.sourceBytes });
    return { scratch, ...limitsOf(job, limits), memoryBytes: probeMemory };
  };
  return {
    fetch: () => fetchSource(deps, job),
    head: () => readHead(path, SNIFF_LENGTH),
    walk: (walk) => driveWalk(path, walk),
    probe: (args) => runTool(tools, 'ffprobe', args, run()),
    filter: (args) => runTool(tools, 'ffmpeg', args, run()),
    lines: async (args, line, pixels) =>
      void (await runTool(tools, 'ffprobe', args, { ...run(pixels), onOutput: byLine(line) })),
    packets: (demuxer, work) => withPackets(path, demuxer, work),
    storePackets: async (list) => {
      const key = `${attemptPrefix(job.videoId, job.attempt)}${newJobFolder(job.name, job.fence)}/packets`;
      await deps.media.putBytes(key, list, { contentType: 'application/octet-stream' });
      await failpoint('transcode.packets-stored');
      return key;
    },
    progress: job.progress,
  };
}

/**
 * The same of an inspection that sees parts of a source alone: the rest reads as zeros, and is not looked at.
 * @param ranges what is there of the source, rising
 */
export function headPorts(deps: Deps, job: SourceJob, ranges: readonly ByteRange[]): InspectPorts {
  const path = join(deps.scratch, sourceName);
  const isThere = (range: ByteRange): boolean => holds(ranges, range);
  let isPadded = false;
  return {
    ...inspectPorts(deps, job),
    fetch: async () => {
      const fetched = await fetchRanges(deps, job, ranges);
      await failpoint('transcode.head-copied');
      isPadded = fetched.knownBytes !== undefined;
      return fetched;
    },
    packets: (demuxer, work) =>
      withPackets(path, demuxer, (packetAt) =>
        work((at) => (isPadded || isThere({ from: at, to: at + MAX_HEADERS }) ? packetAt(at) : undefined)),
      ),
    isThere,
  };
}

async function fetchSource(deps: Deps, job: SourceJob): Promise<FetchedSource> {
  const fetched = await fetchRanges(deps, job, [{ from: 0, to: job.request.sourceBytes }]);
  await failpoint('transcode.source-copied');
  return fetched;
}

async function fetchRanges(deps: Deps, job: SourceJob, ranges: readonly ByteRange[]): Promise<FetchedSource> {
  const { request, signal } = job;
  const path = join(deps.scratch, sourceName);
  await copyRanges(deps.sources, request, { path, ranges }, signal, copying(job));
  return { bytes: request.sourceBytes, knownBytes: await repairSource(path, ranges) };
}

/** Reports the first hundredth of a job while its source is copied, which may take longer than a job may stand still. */
function copying({ request: { sourceBytes }, progress }: SourceJob): (count: number) => void {
  let copied = 0;
  return (count) => {
    copied += count;
    progress(Math.min(1, copied / sourceBytes));
  };
}

/**
 * Runs two programs, the second on the output of the first; returns how many bytes that was.
 * @throws the error of the one that failed; the other one fails only because of it
 */
async function runBoth(
  first: (onOutput: (stdout: Readable) => Promise<void>) => Promise<unknown>,
  second: (input: Readable) => Promise<unknown>,
): Promise<number> {
  const between = new PassThrough();
  let bytes = 0;
  const count = async function* (stdout: AsyncIterable<Buffer>) {
    for await (const chunk of stdout) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  const [written, read] = await Promise.allSettled([
    first((stdout) => pipeline(stdout, count, between)).catch((error: unknown) => {
      between.destroy();
      throw error;
    }),
    second(between).finally(() => between.destroy()),
  ]);
  // Where the second one ends first, the error of the first one is that of a broken stream.
  if (written.status === 'rejected' && written.reason instanceof AppError) throw written.reason;
  for (const end of [read, written]) if (end.status === 'rejected') throw end.reason;
  return bytes;
}

async function started<T>(running: Promise<T>): Promise<T> {
  await failpoint('transcode.encoder-started');
  return running;
}

/** Ports of the jobs of an encode. */
export function encodePorts(deps: Deps, job: SourceJob, options: EncodeOptions): EncodePorts {
  const { scratch, tools, media } = deps;
  const { folder, progress, memoryBytes, copyKey } = options;
  const { videoId, attempt, signal } = job;
  const { niceness } = options;
  const limits = { scratch, ...limitsOf(job, options.limits), memoryBytes, ...(niceness && { niceness }) };
  const keyOf = (name: string): string => {
    signal.throwIfAborted();
    return `${attemptPrefix(videoId, attempt)}${folder}/${name}`;
  };
  return {
    folder,
    progress,
    fetch: async (name) => {
      if (copyKey === undefined) await fetchSource(deps, job);
      else await media.getToFile(copyKey, join(scratch, name), signal, copying(job));
    },
    fetchBytes: async (ranges) => {
      await fetchRanges(deps, job, ranges);
      await failpoint('transcode.bytes-copied');
    },
    packets: async ({ from, end }) => {
      if (options.packetsKey === undefined) throw new AppError('INTERNAL', 'the plan has no list of packets');
      // A copy ends a few packets behind the piece's last.
      const length = (end - from + COPIED_ON) * LISTED_BYTES;
      return await buffer(await media.getStream(options.packetsKey, { start: from * LISTED_BYTES, length }));
    },
    readWhole: options.readWhole,
    copyRejected: options.copyRejected,
    ffmpeg: async (args, pipes = []) => void (await started(runTool(tools, 'ffmpeg', args, { ...limits, pipes }))),
    ffmpegs: (first, second, pipes) =>
      withMemory(tools, { signal, memoryBytes, programs: 2 }, (own) => {
        const both = { ...tools, ...own, memory: createMemoryBudget() };
        return started(
          runBoth(
            (onOutput) => runTool(both, 'ffmpeg', first, { ...limits, onOutput, pipes: pipes.first }),
            (input) => runTool(both, 'ffmpeg', second, { ...limits, input, pipes: pipes.second }),
          ),
        );
      }),
    put: async (name, body, contentType) => {
      await media.putBytes(keyOf(name), body, { contentType, cacheControl: immutable });
      await failpoint('transcode.segment-stored');
    },
    move: async (file, name) => {
      const path = join(scratch, file);
      await media.putFile(keyOf(name), path, { contentType: 'application/octet-stream' });
      await rm(path);
    },
    read: (name) => readIfExists(join(scratch, name)),
  };
}
