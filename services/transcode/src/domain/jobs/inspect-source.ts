/** The work of inspect: turns a file of unknown bytes into an encoding plan, or into a failure code. */
import {
  configurationArguments,
  firstPicturesArguments,
  packetArguments,
  probeArguments,
  samplesArguments,
  shownArguments,
  fieldSampleArguments,
} from '../plan/encode-arguments.ts';
import type { PieceRules } from '../plan/pieces.ts';
import { planEncode, type EncodePlan } from '../plan/encode-plan.ts';
import { pixelsOf } from '../plan/work-estimate.ts';
import { createFieldPairs } from '../source/field-pairs.ts';
import { walkMatroska, walkMp4, type Extents, type ExtentsWalk } from '../source/extents.ts';
import {
  beginAt,
  joinFields,
  lastingAtLeast,
  scanPackets,
  scanShown,
  type FrameScan,
  type ScanOptions,
} from '../source/frame-scan.ts';
import { mayBeginHeld, withHeldStart } from '../source/held-start.ts';
import { showsOf, type PacketReader } from '../source/hidden-pictures.ts';
import {
  admitContainer,
  admitExtents,
  admitFrames,
  admitStreams,
  missingFrames,
  orCorrupt,
  type Limits,
} from '../source/policy.ts';
import { readFieldSample, fieldSampleTimes, withFieldSamples, type FieldSample } from '../source/interlacing.ts';
import { sampleTimes, withSamples } from '../source/picture-samples.ts';
import {
  readConfiguration,
  readProbe,
  readSamples,
  withFirstPictures,
  type ProbedVideo,
  type VideoStream,
} from '../source/probe.ts';
import { sniff, type Demuxer } from '../source/sniff.ts';

export type InspectPorts = {
  /** Fetches the source into the scratch folder; returns its size in bytes. */
  readonly fetch: () => Promise<number>;
  readonly head: () => Promise<Buffer>;
  readonly walk: (walk: ExtentsWalk) => Promise<Extents>;
  /** Runs ffprobe and returns its output. */
  readonly probe: (args: readonly string[]) => Promise<string>;
  /** Runs ffmpeg and returns what its filters print. */
  readonly filter: (args: readonly string[]) => Promise<string>;
  /** Runs ffprobe and passes on its output, line by line; `pixels` is how many it decodes. */
  readonly lines: (args: readonly string[], line: (line: string) => void, pixels?: number) => Promise<void>;
  /** Passes `work` a reader for the packets at the byte positions that ffprobe reports. */
  readonly packets: <T>(
    demuxer: Demuxer,
    work: (packetAt: (at: number) => PacketReader | undefined) => Promise<T>,
  ) => Promise<T>;
  /** Reports how far the inspection is, in percent. */
  readonly progress: (percent: number) => void;
};

/** @throws AppError INVALID_ARGUMENT with a failure code as its reason */
export async function inspectSource(ports: InspectPorts, limits: Limits, rules: PieceRules): Promise<EncodePlan> {
  const bytes = await ports.fetch();
  const demuxer = admitContainer(sniff(await ports.head()));
  const extents = await ports.walk(demuxer === 'mov' ? walkMp4(bytes) : walkMatroska(bytes));
  admitExtents(extents, bytes);
  const probe = readProbe(await orCorrupt(ports.probe(probeArguments(demuxer)), 'container'), demuxer);
  const declared = { ...probe, video: admitStreams(probe, limits) };
  const shows = await showTest(ports, declared, extents);
  const first = await decodeFirstPictures(ports, declared, await scanSource(ports, declared, shows));
  const { video, scan: begun } = await holdStart(ports, { ...probe, video: first.video }, first.scan, shows);
  const decoded = begun.untimed > 0 || (extents.encoded && showsOf(video.codec));
  const shown = decoded ? await listShown(ports, { ...probe, video }, begun) : begun;
  const scan = lastingAtLeast(shown, probe.declaredDuration ?? 0);
  const sampled = await decodeSamples(ports, { ...probe, video }, scan);
  const source = { ...probe, video: await decodeFieldSamples(ports, { ...probe, video: sampled }, scan) };
  admitFrames(source, scan, limits, extents.endless);
  return planEncode(source, scan, bytes, rules);
}

/** The test for packets that do not begin a picture; undefined where every packet does. */
async function showTest(ports: InspectPorts, { demuxer, video }: ProbedVideo, { encoded = false }: Extents) {
  if (video.codec !== 'h264' || encoded) return showsOf(video.codec);
  const json = await orCorrupt(ports.probe(configurationArguments(demuxer, video)), 'container');
  return createFieldPairs(readConfiguration(json));
}

async function scanSource(
  ports: InspectPorts,
  { demuxer, video, audio }: ProbedVideo,
  shows: ReturnType<typeof showsOf>,
): Promise<FrameScan> {
  const scan = async (showsAt?: ScanOptions['shows']): Promise<FrameScan> => {
    const sink = scanPackets({ video: video.index, audio: audio?.index, ...(showsAt && { shows: showsAt }) });
    await orCorrupt(ports.lines(packetArguments(demuxer, video), sink.line), 'container');
    return sink.finish();
  };
  if (!shows) return scan();
  return ports.packets(demuxer, (packetAt) =>
    scan((at, bytes) => {
      const read = packetAt(at);
      return read === undefined || shows(read, bytes);
    }),
  );
}

/** Lists the packets once more where an edit list may begin inside a picture that is held. */
async function holdStart(
  ports: InspectPorts,
  probe: ProbedVideo,
  scan: FrameScan,
  shows: ReturnType<typeof showsOf>,
): Promise<{ readonly video: VideoStream; readonly scan: FrameScan }> {
  if (probe.demuxer !== 'mov' || !mayBeginHeld(scan)) return { video: probe.video, scan };
  const video = { ...probe.video, unedited: true };
  const held = withHeldStart(scan, await scanSource(ports, { ...probe, video }, shows), video.declaredDuration);
  return held ? { video, scan: held } : { video: probe.video, scan };
}

/** Decodes the first pictures: earlier ones cannot be shown, and decoded pictures reveal more than the header. */
async function decodeFirstPictures(ports: InspectPorts, { demuxer, video }: ProbedVideo, scan: FrameScan) {
  const args = firstPicturesArguments(demuxer, video, scan.leadIn);
  const first = withFirstPictures(video, await orCorrupt(ports.probe(args), 'video'));
  if (!first) throw missingFrames('not one of the first pictures can be decoded', 0, 'at least 1', 0);
  const begun = first.shownAt === undefined ? scan : beginAt(scan, first.shownAt);
  const lost = scan.times.length - begun.times.length;
  if (lost > scan.leadIn) throw missingFrames(`the first ${lost} pictures cannot be decoded`, 0, lost, 0);
  return { video: first.video, scan: first.video.fields ? joinFields(begun) : begun };
}

/** Decodes a few key pictures all over the source; where one key is all there is, the first pictures told enough. */
async function decodeSamples(ports: InspectPorts, { demuxer, video }: ProbedVideo, scan: FrameScan) {
  if (scan.keys.length < 2 || video.fields) return video;
  const args = samplesArguments(demuxer, video, sampleTimes(scan));
  return withSamples(video, readSamples(await orCorrupt(ports.probe(args), 'video')), scan.end);
}

/** Decodes a few samples of pictures that may be interlaced. One that cannot be decoded says nothing. */
async function decodeFieldSamples(ports: InspectPorts, { demuxer, video }: ProbedVideo, scan: FrameScan) {
  const samples: FieldSample[] = [];
  for (const from of fieldSampleTimes(video, scan))
    samples.push(readFieldSample(await orCorrupt(ports.filter(fieldSampleArguments(demuxer, video, from)), 'video')));
  return withFieldSamples(video, samples);
}

/** Where packets do not carry the times of their pictures, all of them are decoded; what is missing then is damage. */
async function listShown(ports: InspectPorts, { demuxer, video }: ProbedVideo, scan: FrameScan): Promise<FrameScan> {
  const sink = scanShown();
  const expected = scan.times.length;
  let decoded = 0;
  const line = (text: string): void => {
    sink.line(text);
    // Decoding a long video takes hours, and a stage without progress fails.
    ports.progress(Math.min(99, (100 * ++decoded) / expected));
  };
  await orCorrupt(ports.lines(shownArguments(demuxer, video), line, pixelsOf(video, expected)), 'video');
  const shown = sink.finish(scan);
  const found = shown.times.length;
  if (expected - found > Math.max(3, expected * 0.02))
    throw missingFrames(`${found} of ${expected} pictures could be decoded`, 0, expected, found);
  return shown;
}
