/** The work of inspect: turns a file of unknown bytes into an encoding plan, or into a failure code. */
import { AppError } from '@vds/chassis/errors';
import {
  firstPicturesArguments,
  packetArguments,
  probeArguments,
  shownArguments,
  sourceName,
} from '../plan/encode-arguments.ts';
import type { PieceRules } from '../plan/pieces.ts';
import { planTitle, type TitlePlan } from '../plan/title-plan.ts';
import { walkMatroska, walkMp4, type Extents, type ExtentsWalk } from '../source/extents.ts';
import { readProbe, withFirstPictures, type ProbeResult, type VideoFacts } from '../source/probe.ts';
import { beginAt, lastingAtLeast, scanPackets, scanShown, type FrameScan } from '../source/frame-scan.ts';
import { showsOf, type PacketReader } from '../source/hidden-pictures.ts';
import { admitContainer, admitExtents, admitFrames, admitStreams, rejection, type Limits } from '../source/policy.ts';
import { sniff } from '../source/sniff.ts';

export type InspectPorts = {
  /** Fetches the source into the scratch folder; returns its size in bytes. */
  readonly fetch: () => Promise<number>;
  readonly head: () => Promise<Buffer>;
  readonly walk: (walk: ExtentsWalk) => Promise<Extents>;
  /** Runs ffprobe and returns its output. */
  readonly probe: (args: readonly string[]) => Promise<string>;
  /** Runs ffprobe and passes on its output, line by line. */
  readonly lines: (args: readonly string[], line: (line: string) => void) => Promise<void>;
  /** Passes `work` a reader for the packets at the byte positions that ffprobe reports. */
  readonly packets: <T>(
    demuxer: ProbeResult['demuxer'],
    work: (packetAt: (at: number) => PacketReader | undefined) => Promise<T>,
  ) => Promise<T>;
};

type Source = { readonly facts: ProbeResult; readonly video: VideoFacts; readonly extents: Extents };

/** @throws AppError INVALID_ARGUMENT with a failure code as its reason */
export async function inspectSource(ports: InspectPorts, limits: Limits, rules: PieceRules): Promise<TitlePlan> {
  const bytes = await ports.fetch();
  const demuxer = admitContainer(sniff(await ports.head()));
  const extents = await ports.walk(demuxer === 'mov' ? walkMp4(bytes) : walkMatroska(bytes));
  admitExtents(extents, bytes);
  const facts = readProbe(await orCorrupt(ports.probe(probeArguments(demuxer, sourceName)), 'container'), demuxer);
  const source = { facts, extents, video: admitStreams(facts, limits) };
  const packets = await scanSource(ports, source);
  const { video, scan: begun } = await lookAtFirst(ports, source, packets);
  const decoded = begun.untimed > 0 || (extents.encoded && showsOf(video.codec));
  const shown = decoded ? await listShown(ports, source, begun) : begun;
  const scan = lastingAtLeast(shown, facts.declaredDuration ?? 0);
  admitFrames({ ...facts, video }, scan, limits, extents.endless);
  return planTitle({ ...facts, video }, scan, bytes, rules);
}

/** ffprobe ends with an error where it cannot read a file: the file is then at fault. */
async function orCorrupt<T>(work: Promise<T>, stream: 'container' | 'video'): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.reason === 'tool_failed')
      throw rejection('source_corrupt', error.message, { stream, found: 'cannot be read' });
    throw error;
  }
}

async function scanSource(ports: InspectPorts, { facts, video }: Source): Promise<FrameScan> {
  const shows = showsOf(video.codec);
  const tracks = { video: video.index, audio: facts.audio?.index };
  const scan = async (options: Parameters<typeof scanPackets>[0]): Promise<FrameScan> => {
    const sink = scanPackets(options);
    await orCorrupt(ports.lines(packetArguments(facts.demuxer, sourceName), sink.line), 'container');
    return sink.finish();
  };
  if (!shows) return scan(tracks);
  return ports.packets(facts.demuxer, (packetAt) =>
    scan({
      ...tracks,
      shows: (at, bytes) => {
        const read = packetAt(at);
        return read === undefined || shows(read, bytes);
      },
    }),
  );
}

/** Decodes the first pictures: earlier ones cannot be shown, and decoded pictures reveal more than the header. */
async function lookAtFirst(ports: InspectPorts, { facts, video }: Source, scan: FrameScan) {
  const wanted = { stream: video.index, leadIn: scan.leadIn };
  const json = await orCorrupt(ports.probe(firstPicturesArguments(facts.demuxer, wanted, sourceName)), 'video');
  const first = withFirstPictures(video, json);
  const none = { stream: 'video', at_seconds: '0.00', expected_frames: 'at least 1', found_frames: '0' };
  if (!first) throw rejection('source_corrupt', 'not one of the first pictures can be decoded', none);
  const begun = first.shownAt === undefined ? scan : beginAt(scan, first.shownAt);
  const lost = scan.times.length - begun.times.length;
  if (lost > scan.leadIn)
    throw rejection('source_corrupt', `the first ${lost} pictures cannot be decoded`, {
      ...{ stream: 'video', at_seconds: '0.00', expected_frames: String(lost), found_frames: '0' },
    });
  return { video: first.video, scan: begun };
}

/** Where packets do not carry the times of their pictures, all of them are decoded; what is missing then is damage. */
async function listShown(ports: InspectPorts, { facts, video }: Source, scan: FrameScan): Promise<FrameScan> {
  const sink = scanShown();
  await orCorrupt(ports.lines(shownArguments(facts.demuxer, video.index, sourceName), sink.line), 'video');
  const shown = sink.finish(scan);
  const [expected, found] = [scan.times.length, shown.times.length];
  if (expected - found > Math.max(3, expected * 0.02))
    throw rejection('source_corrupt', `${found} of ${expected} pictures could be decoded`, {
      ...{ stream: 'video', at_seconds: '0.00', expected_frames: String(expected), found_frames: String(found) },
    });
  return shown;
}
