/**
 * Encodes a piece of a clip by the service's own inspection, plan, command lines and segment writer, in a folder
 * instead of buckets: what is measured is what viewers would be sent.
 */
import { appendFile, copyFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { byLine, type ProgramRun } from '@vds/chassis/sandbox/programs';
import { bandwidthOf } from '../src/domain/hls/media-playlist.ts';
import { copyOut } from '../src/domain/jobs/copy-piece.ts';
import { encodePiece } from '../src/domain/jobs/encode-piece.ts';
import type { EncodePorts } from '../src/domain/jobs/encode-ports.ts';
import { inspectSource } from '../src/domain/jobs/inspect-source.ts';
import { graphArguments, line, sourceName } from '../src/domain/plan/encode-arguments.ts';
import { DEFAULT_CRF, DEFAULT_PRESET, type Effort } from '../src/domain/plan/effort.ts';
import type { EncodePlan } from '../src/domain/plan/encode-plan.ts';
import type { Rung } from '../src/domain/plan/ladder.ts';
import type { Piece, PieceRules } from '../src/domain/plan/pieces.ts';
import { SNIFF_LENGTH } from '../src/domain/source/sniff.ts';
import type { Walk } from '../src/domain/source/walk.ts';
import { runTool, type MediaTools } from '../src/outbound/media-tools.ts';
import { driveWalk, readHead, readIfExists, withPackets } from '../src/outbound/scratch-files.ts';

/** A piece of a clip, in a folder of its own. */
export type Clip = {
  readonly tools: MediaTools;
  readonly folder: string;
  readonly plan: EncodePlan;
  readonly piece: Piece;
};

export type EncodedRung = {
  readonly rung: Rung;
  /** Bits a second as `ladder.json` has them. */
  readonly average: number;
  readonly peak: number;
  /** The rendition in one file. */
  readonly path: string;
};

/** What the rungs of a clip are encoded from, without loss, and what it takes to get there. */
export type Reference = { readonly path: string; readonly processorSeconds: number };

export type Setting = Pick<Effort, 'preset' | 'crf'>;

/** What the service encodes with unless its operator says otherwise. */
export const today: Setting = { preset: DEFAULT_PRESET, crf: DEFAULT_CRF };

const noLimits = {
  maxDurationMs: Infinity,
  minDurationMs: 0,
  maxFrameRate: Infinity,
  maxPixels: Infinity,
  maxStreams: Infinity,
  maxWork: Infinity,
};
const HOUR_MS = 3_600_000;
/** Two encoders beside each other would each look slower. */
const THREADS = 2;

const never = new AbortController().signal;

/**
 * Plans a clip, and cuts its middle piece out as the service cuts long videos: without encoding it anew.
 * @param folder empty, and the clip's own
 * @param seconds of a piece; clips of less than half as much again stay whole
 */
export async function openClip(tools: MediaTools, folder: string, file: string, seconds: number): Promise<Clip> {
  await copyFile(file, join(folder, sourceName));
  const plan = await planFile(tools, folder, { wholeBelowSeconds: 1.5 * seconds, pieceSeconds: seconds });
  const piece = plan.pieces[plan.pieces.length >> 1];
  if (!piece) throw new Error('a plan has at least one piece');
  const ffmpeg: EncodePorts['ffmpeg'] = async (args, pipes = []) => void (await run(tools, folder, args, { pipes }));
  if (plan.pieces.length > 1) await copyOut({ ffmpeg }, plan, piece);
  return { tools, folder, plan, piece };
}

async function planFile(tools: MediaTools, folder: string, rules: PieceRules): Promise<EncodePlan> {
  const path = join(folder, sourceName);
  const ffprobe = (args: readonly string[], more: Partial<ProgramRun> = {}) =>
    runTool(tools, 'ffprobe', args, { scratch: folder, signal: never, timeoutMs: HOUR_MS, ...more });
  const ports = {
    fetch: async () => ({ bytes: (await stat(path)).size, knownBytes: undefined }),
    head: () => readHead(path, SNIFF_LENGTH),
    walk: <Result>(walk: Walk<Result>) => driveWalk(path, walk),
    probe: (args: readonly string[]) => ffprobe(args),
    filter: (args: readonly string[]) => run(tools, folder, args),
    lines: async (args: readonly string[], each: (text: string) => void) =>
      void (await ffprobe(args, { onOutput: byLine(each) })),
    packets: ((demuxer, work) => withPackets(path, demuxer, work)) as Parameters<typeof inspectSource>[0]['packets'],
    storePackets: async () => '',
    progress: () => undefined,
  };
  const plan = await inspectSource(ports, noLimits, { ...rules, copyTop: false });
  // Its pieces are there already.
  return { ...plan, pieces: plan.pieces.map((piece) => ({ ...piece, bytes: undefined })) };
}

/** Encodes these rungs of a clip's ladder in one run, as the service encodes all of them. */
export async function encodeRungs(
  { tools, folder, plan, piece }: Clip,
  rungs: EncodePlan['rungs'],
  setting: Setting,
): Promise<{ readonly encoded: readonly EncodedRung[]; readonly processorSeconds: number }> {
  const pathOf = (name: string): string => join(folder, `${name}.mp4`);
  // As in a job's own folder, in which ffmpeg finds no file of the run before.
  const left = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).map((name) => join(folder, name));
  await Promise.all([...left, ...rungs.map(({ name }) => pathOf(name))].map((path) => rm(path, { force: true })));
  const before = await endedChildSeconds();
  const ports = {
    folder: '',
    fetch: async () => undefined,
    ffmpeg: async (args: readonly string[], pipes: ProgramRun['pipes'] = []) =>
      void (await run(tools, folder, args, { pipes })),
    // Renditions are `v/<rung>/<file>`, init segment first; stills are of no interest here.
    put: async (name: string, body: Buffer) => {
      const [kind, rung = ''] = name.split('/');
      if (kind === 'v') await appendFile(pathOf(rung), body);
    },
    read: (name: string) => readIfExists(join(folder, name)),
    fetchBytes: async () => undefined,
    packets: async () => Buffer.alloc(0),
    readWhole: () => undefined,
    copyRejected: () => undefined,
    progress: () => undefined,
  };
  const result = await encodePiece(ports, { ...plan, rungs }, piece.index, { ...setting, threads: THREADS });
  const processorSeconds = (await endedChildSeconds()) - before;
  const encoded = rungs.map((rung, place) => {
    const { segments = [], timescale = 1 } = result.rungs[place] ?? {};
    const measured = segments.map(({ duration, bytes }) => ({ uri: '', seconds: duration / timescale, bytes }));
    return { rung, ...bandwidthOf(measured), path: pathOf(rung.name) };
  });
  return { encoded, processorSeconds };
}

/**
 * The pictures that the encoder of a rung is given: through the same graph, kept without loss. A second run, which
 * keeps nothing, shows what decoding, scaling and stills take.
 */
export async function makeReference({ tools, folder, plan, piece }: Clip, rung: Rung): Promise<Reference> {
  const path = join(folder, 'reference.mp4');
  const thumbnail = piece.index === plan.poster;
  const shown = ['-fps_mode', 'passthrough'];
  const nothing = (label: string): string[] => ['-map', `[${label}]`, ...shown, '-f', 'null', '-'];
  const graph = graphArguments({ ...plan, rungs: [rung] }, piece, { threads: THREADS }, thumbnail);
  const stills = line(nothing('sheets'), thumbnail ? nothing('poster') : []);
  const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-enc_time_base', '1:90000', '-y', path];
  await run(tools, folder, line(graph, ['-map', '[r0]', ...shown], lossless, stills));
  const before = await endedChildSeconds();
  await run(tools, folder, line(graph, nothing('r0'), stills));
  return { path, processorSeconds: (await endedChildSeconds()) - before };
}

/** Runs ffmpeg in a clip's folder; returns what it prints. */
export function run(
  tools: MediaTools,
  scratch: string,
  args: readonly string[],
  more: Partial<ProgramRun> = {},
): Promise<string> {
  // The service's programs make way for their worker, which is not here.
  return runTool(tools, 'ffmpeg', args, { scratch, signal: never, timeoutMs: HOUR_MS, niceness: 0, ...more });
}

/** USER_HZ, which is 100 on every Linux of today. */
const TICKS_A_SECOND = 100;

/** Seconds of processor of all child processes that have ended: unlike seconds of wall, hardly changed by neighbours. */
async function endedChildSeconds(): Promise<number> {
  const text = await readFile('/proc/self/stat', 'latin1');
  // After the name in parentheses: state, parent, …; 13 and 14 are the times of ended children.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
}
