/** The work of inspect: turns a file of unknown bytes into an encoding plan, or into a failure code. */
import { firstPicturesArguments, packetArguments, probeArguments, shownArguments } from '../plan/encode-arguments.ts';
import type { PieceRules } from '../plan/pieces.ts';
import { planEncode, type EncodePlan } from '../plan/encode-plan.ts';
import { pixelsOf } from '../plan/work-estimate.ts';
import type { Extents, ExtentsWalk } from '../source/extents.ts';
import {
  beginAt,
  lastingAtLeast,
  scanPackets,
  scanShown,
  type FrameScan,
  type ScanOptions,
} from '../source/frame-scan.ts';
import { showsOf, type PacketReader } from '../source/hidden-pictures.ts';
import { walkMatroska } from '../source/matroska-extents.ts';
import { walkMp4 } from '../source/mp4-extents.ts';
import { followParameterSets } from '../source/parameter-sets.ts';
import {
  admitContainer,
  admitDolbyVision,
  admitExtents,
  admitFrames,
  admitOrder,
  admitStreams,
  missingFrames,
  orCorrupt,
  type Limits,
} from '../source/policy.ts';
import { readProbe, withFirstPictures, type ProbedVideo } from '../source/probe.ts';
import { sniff, type Demuxer } from '../source/sniff.ts';

export type InspectPorts = {
  /** Fetches the source into the scratch folder; returns its size in bytes. */
  readonly fetch: () => Promise<number>;
  readonly head: () => Promise<Buffer>;
  readonly walk: (walk: ExtentsWalk) => Promise<Extents>;
  /** Runs ffprobe and returns its output. */
  readonly probe: (args: readonly string[]) => Promise<string>;
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
  const { probe: declared, packets } = await scanTracks(ports, demuxer, extents, limits);
  const { video, scan: begun } = await decodeFirstPictures(ports, declared, packets);
  const decoded = begun.untimed > 0 || (extents.encoded && showsOf(video.codec));
  const shown = decoded ? await listShown(ports, declared, begun) : begun;
  const scan = lastingAtLeast(shown, declared.declaredDuration ?? 0);
  const source = { ...declared, video };
  admitFrames(source, scan, limits, extents.endless);
  return planEncode(source, scan, { bytes, trailing: extents.trailing === true }, rules);
}

/** Chooses the tracks and lists their packets; once more where these show that a chosen track is hardly one. */
async function scanTracks(ports: InspectPorts, demuxer: Demuxer, { auxiliary = [] }: Extents, limits: Limits) {
  const json = await orCorrupt(ports.probe(probeArguments(demuxer)), 'container');
  const choose = (counted: Pick<FrameScan, 'packets'> | undefined): ProbedVideo => {
    const probe = readProbe(json, demuxer, { auxiliary, ...(counted && { packets: counted.packets }) });
    return { ...probe, video: admitStreams(probe, limits) };
  };
  const first = choose(undefined);
  const listed = await scanSource(ports, first);
  const probe = choose(listed);
  const same = probe.video.index === first.video.index && probe.audio?.index === first.audio?.index;
  const packets = same ? listed : await scanSource(ports, probe);
  admitOrder(packets);
  return { probe, packets };
}

async function scanSource(ports: InspectPorts, { demuxer, video, audio }: ProbedVideo): Promise<FrameScan> {
  const shows = showsOf(video.codec);
  const headers = followParameterSets(video.codec);
  return ports.packets(demuxer, async (packetAt) => {
    const showsAt: ScanOptions['shows'] = (at, bytes) => {
      const read = packetAt(at);
      return !shows || read === undefined || shows(read, bytes);
    };
    const onKey: ScanOptions['onKey'] = (at, bytes) => {
      const read = packetAt(at);
      if (read) headers?.addKey(read, bytes);
    };
    const tests = { ...(shows && { shows: showsAt }), ...(headers && { onKey }) };
    const sink = scanPackets({ video: video.index, audio: audio?.index, ...tests });
    await orCorrupt(ports.lines(packetArguments(demuxer), sink.line), 'container');
    const scan = sink.finish();
    return { ...scan, indivisible: scan.indivisible || headers?.areLacking() === true };
  });
}

/** Decodes the first pictures: earlier ones cannot be shown, and decoded pictures reveal more than the header. */
async function decodeFirstPictures(ports: InspectPorts, { demuxer, video }: ProbedVideo, scan: FrameScan) {
  const args = firstPicturesArguments(demuxer, video, scan.leadIn);
  const first = withFirstPictures(video, await orCorrupt(ports.probe(args), 'video'));
  if (!first) throw missingFrames('not one of the first pictures can be decoded', 0, 'at least 1', 0);
  admitDolbyVision(first.video);
  const begun = first.shownAt === undefined ? scan : beginAt(scan, first.shownAt);
  const lost = scan.times.length - begun.times.length;
  if (lost > scan.leadIn) throw missingFrames(`the first ${lost} pictures cannot be decoded`, 0, lost, 0);
  return { video: first.video, scan: begun };
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
