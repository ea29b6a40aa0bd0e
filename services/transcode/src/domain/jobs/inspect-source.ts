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
import { looksLikeTop, mayCopyTop } from '../plan/copied-rung.ts';
import { planEncode, type EncodePlan, type PlanRules } from '../plan/encode-plan.ts';
import { assumedSeconds, knownPictures, withoutRest, type KnownPart } from '../plan/known-part.ts';
import { firstSoundsArguments } from '../plan/side-arguments.ts';
import { encodePixels, pixelsOf } from '../plan/work-estimate.ts';
import { declaredSeconds } from '../source/declared-duration.ts';
import type { Extents } from '../source/extents.ts';
import { createFieldPairs } from '../source/field-pairs.ts';
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
import { walkMatroska } from '../source/matroska-extents.ts';
import { walkMp4 } from '../source/mp4-extents.ts';
import { followParameterSets } from '../source/parameter-sets.ts';
import {
  admitContainer,
  admitDolbyVision,
  admitExtents,
  admitFrames,
  admitOrder,
  admitPackets,
  admitStreams,
  admitWork,
  missingFrames,
  orCorrupt,
  type Limits,
} from '../source/policy.ts';
import { readFieldSample, fieldSampleTimes, withFieldSamples, type FieldSample } from '../source/interlacing.ts';
import { sampleTimes, withSamples } from '../source/picture-samples.ts';
import {
  hasFrames,
  readConfiguration,
  readProbe,
  readSamples,
  withFirstPictures,
  type AudioStream,
  type ProbedVideo,
  type VideoStream,
} from '../source/probe.ts';
import { sniff, type Demuxer } from '../source/sniff.ts';
import { readIndex, type ByteRange } from '../source/source-index.ts';
import { listOf } from '../source/stored-packets.ts';
import type { Walk } from '../source/walk.ts';

export type FetchedSource = {
  /** Size of the source. */
  readonly bytes: number;
  /** Where padding takes the place of fragments or clusters that are not there: undefined where it does not. */
  readonly knownBytes: number | undefined;
};

export type InspectPorts = {
  /** Fetches the source into the scratch folder, or what is there of it. */
  readonly fetch: () => Promise<FetchedSource>;
  readonly head: () => Promise<Buffer>;
  readonly walk: <Result>(walk: Walk<Result>) => Promise<Result>;
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
  /** Whether bytes of the source are in the scratch folder; undefined where all of them are. */
  readonly isThere?: (range: ByteRange) => boolean;
  /** Stores the list of the video's packets; returns its key. */
  readonly storePackets: (list: Buffer) => Promise<string>;
  /** Reports how far the inspection is, in percent. */
  readonly progress: (percent: number) => void;
};

/** Thirty pictures of 30 Mb/s. */
const SAMPLE_BYTES = 4 * 1024 * 1024;

type PacketCheck = ReturnType<typeof admitPackets>;

/** @throws AppError INVALID_ARGUMENT with a failure code as its reason */
export async function inspectSource(given: InspectPorts, limits: Limits, rules: PlanRules): Promise<EncodePlan> {
  const { bytes, knownBytes } = await given.fetch();
  const ports = knownBytes === undefined ? given : asWhole(given);
  const demuxer = admitContainer(sniff(await ports.head()));
  const extents = await ports.walk(demuxer === 'mov' ? walkMp4(bytes) : walkMatroska(bytes));
  admitExtents(extents, bytes);
  const admit = (): PacketCheck => admitPackets(limits, bytes, extents.encoded);
  const { probe, packets, shows } = await scanTracks(ports, demuxer, extents, limits, admit);
  const first = await decodeFirstPictures(ports, probe, packets);
  const { video, scan: begun } = await holdStart(ports, { ...probe, video: first.video }, first.scan, shows, admit);
  const decoded = begun.untimed > 0 || (extents.encoded && showsOf(video.codec));
  const listed = knownBytes === undefined ? begun : admitKnown(decoded ? undefined : knownPictures(begun));
  const shown = decoded ? await listShown(ports, { ...probe, video }, listed, limits) : listed;
  const scan = lastingAtLeast(shown, probe.declaredDuration ?? 0);
  const sampled = await decodeSamples(ports, { ...probe, video }, scan);
  const audible = knownBytes === undefined ? await decodeAlternates(ports, probe) : probe;
  const source = { ...audible, video: await decodeFieldSamples(ports, { ...probe, video: sampled }, scan) };
  if (knownBytes === undefined) admitFrames(source, scan, limits, extents.endless);
  const trailing = extents.trailing === true;
  const index = trailing ? undefined : await ports.walk(readIndex(demuxer, bytes));
  const known =
    knownBytes === undefined ? undefined : await knownPart(ports, demuxer, begun, { knownBytes, bytes, limits });
  const plan = planEncode(source, scan, { bytes, trailing, index, known }, rules);
  if (!known) admitWork(encodePixels(plan), limits);
  const copied = known ? withoutRest(scan) : scan;
  const copiesTop = rules.copyTop && looksLikeTop(plan) ? await copyOfTop(ports, plan, copied) : undefined;
  const packetsKey = plan.headers && (await ports.storePackets(listOfAll(scan)));
  return { ...plan, copiesTop, ...(packetsKey !== undefined && { packetsKey }) };
}

/** What is padded is a complete file. */
function asWhole({ isThere: _isThere, ...ports }: InspectPorts): InspectPorts {
  return ports;
}

/** @param pictures undefined where the beginning tells of none, or only decoding would */
function admitKnown(pictures: FrameScan | undefined): FrameScan {
  if (!pictures) throw missingFrames('the beginning does not tell which pictures it holds', 0, 'at least 1', 0);
  return pictures;
}

async function knownPart(
  ports: InspectPorts,
  demuxer: Demuxer,
  { end, times }: FrameScan,
  of: { readonly knownBytes: number; readonly bytes: number; readonly limits: Limits },
): Promise<KnownPart> {
  const declared = await ports.walk(declaredSeconds(demuxer, of.knownBytes));
  const known = { seconds: end - (times[0] ?? 0), share: of.knownBytes / of.bytes };
  return {
    bytes: of.knownBytes,
    seconds: Math.min(assumedSeconds(declared, known), of.limits.maxDurationMs / 1_000),
  };
}

/** Those of the sound follow those of the video. */
function listOfAll({ stored, sound }: FrameScan): Buffer {
  return Buffer.concat([listOf(stored), ...(sound ? [listOf(sound.packets)] : [])]);
}

/** Whether the packets of the source are as good as the largest rung's would be. */
async function copyOfTop(ports: InspectPorts, plan: EncodePlan, scan: FrameScan): Promise<EncodePlan['copiesTop']> {
  const { demuxer, video } = plan.probe;
  const json = await orCorrupt(ports.probe(configurationArguments(demuxer, video)), 'container');
  return mayCopyTop(plan, scan, readConfiguration(json));
}

/** Chooses the tracks and lists their packets; again if these show that a chosen track is hardly one. */
async function scanTracks(
  ports: InspectPorts,
  demuxer: Demuxer,
  extents: Extents,
  limits: Limits,
  admit: () => PacketCheck,
) {
  const { auxiliary = [] } = extents;
  const json = await orCorrupt(ports.probe(probeArguments(demuxer)), 'container');
  const choose = (counted: Pick<FrameScan, 'packets'> | undefined): ProbedVideo => {
    const probe = readProbe(json, demuxer, { auxiliary, ...(counted && { packets: counted.packets }) });
    return { ...probe, video: admitStreams(probe, limits) };
  };
  const first = choose(undefined);
  const test = await showTest(ports, first, extents);
  const listed = await scanSource(ports, first, test, admit());
  const probe = choose(listed);
  const same = probe.video.index === first.video.index && probe.audio?.index === first.audio?.index;
  const shows = same ? test : await showTest(ports, probe, extents);
  const packets = same ? listed : await scanSource(ports, probe, shows, admit());
  admitOrder(packets);
  return { probe, packets, shows };
}

/** The test for packets that do not begin a picture; undefined if every packet does. */
async function showTest(ports: InspectPorts, { demuxer, video }: ProbedVideo, { encoded = false }: Extents) {
  if (video.codec !== 'h264' || encoded) return showsOf(video.codec);
  const json = await orCorrupt(ports.probe(configurationArguments(demuxer, video)), 'container');
  return createFieldPairs(readConfiguration(json));
}

async function scanSource(
  ports: InspectPorts,
  { demuxer, video, audio }: ProbedVideo,
  shows: ReturnType<typeof showsOf>,
  onPacket: PacketCheck,
): Promise<FrameScan> {
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
    const sink = scanPackets({ video: video.index, audio: audio?.index, onPacket, ...tests });
    await orCorrupt(ports.lines(packetArguments(demuxer, video, !ports.isThere), sink.line), 'container');
    const scan = sink.finish();
    return { ...scan, indivisible: scan.indivisible || headers?.areLacking() === true, keyUnits: headers?.result() };
  });
}

/** Lists the packets again if an edit list may start inside a held picture. */
async function holdStart(
  ports: InspectPorts,
  probe: ProbedVideo,
  scan: FrameScan,
  shows: ReturnType<typeof showsOf>,
  admit: () => PacketCheck,
): Promise<{ readonly video: VideoStream; readonly scan: FrameScan }> {
  if (probe.demuxer !== 'mov' || !mayBeginHeld(scan)) return { video: probe.video, scan };
  const video = { ...probe.video, unedited: true };
  const held = withHeldStart(
    scan,
    await scanSource(ports, { ...probe, video }, shows, admit()),
    video.declaredDuration,
  );
  return held ? { video, scan: held } : { video: probe.video, scan };
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
  return { video: first.video, scan: first.video.fields ? joinFields(begun) : begun };
}

/** Decodes a few key pictures all over the source; with only one key, the first pictures suffice. */
async function decodeSamples(ports: InspectPorts, { demuxer, video }: ProbedVideo, scan: FrameScan) {
  const times = sampleTimes(scan).filter(canBeRead(ports, scan));
  if (scan.keys.length < 2 || video.fields || times.length === 0) return video;
  const args = samplesArguments(demuxer, video, times);
  return withSamples(video, readSamples(await orCorrupt(ports.probe(args), 'video')), scan.end);
}

/** Decodes a few samples of pictures that may be interlaced. One that cannot be decoded proves nothing. */
async function decodeFieldSamples(ports: InspectPorts, { demuxer, video }: ProbedVideo, scan: FrameScan) {
  const samples: FieldSample[] = [];
  for (const from of fieldSampleTimes(video, scan).filter(canBeRead(ports, scan)))
    samples.push(readFieldSample(await orCorrupt(ports.filter(fieldSampleArguments(demuxer, video, from)), 'video')));
  return withFieldSamples(video, samples);
}

/** Leaves out the other tracks of sound that cannot be decoded. */
async function decodeAlternates(ports: InspectPorts, probe: ProbedVideo): Promise<ProbedVideo> {
  const alternates: AudioStream[] = [];
  for (const track of probe.alternates ?? []) {
    const args = firstSoundsArguments(probe.demuxer, probe.video, track.index);
    if (hasFrames(await orCorrupt(ports.probe(args), 'container'))) alternates.push(track);
  }
  return { ...probe, alternates };
}

/** Whether enough of the source is there to decode some pictures from a key picture on. */
function canBeRead({ isThere }: InspectPorts, { stored }: FrameScan): (time: number) => boolean {
  return (time) => {
    const from = stored.at[stored.keys.get(time) ?? NaN];
    return isThere === undefined || (from !== undefined && isThere({ from, to: from + SAMPLE_BYTES }));
  };
}

/** Where packets do not carry the times of their pictures, all of them are decoded; what is missing then is damage. */
async function listShown(
  ports: InspectPorts,
  { demuxer, video }: ProbedVideo,
  scan: FrameScan,
  limits: Limits,
): Promise<FrameScan> {
  const sink = scanShown();
  const expected = scan.times.length;
  admitWork(pixelsOf(video, expected), limits);
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
