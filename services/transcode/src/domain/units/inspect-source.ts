/** The inspect stage: from a file of unknown bytes to a plan for its title, or to the code that it fails with. */
import { AppError } from '@vds/shared/errors';
import { firstPicturesArguments, packetArguments, probeArguments, sourceName } from '../plan/encode-arguments.ts';
import type { PieceRules } from '../plan/pieces.ts';
import { planTitle, type TitlePlan } from '../plan/title-plan.ts';
import { walkMatroska, walkMp4, type Extents, type ExtentsWalk } from '../source/extents.ts';
import { readFacts, withFirstPictures } from '../source/facts.ts';
import { scanPackets } from '../source/frame-scan.ts';
import { admitContainer, admitExtents, admitFrames, admitStreams, refusal, type Limits } from '../source/policy.ts';
import { sniff } from '../source/sniff.ts';

export type InspectPorts = {
  /** Brings the source into the scratch folder; its size in bytes. */
  readonly fetch: () => Promise<number>;
  readonly head: () => Promise<Buffer>;
  readonly walk: (walk: ExtentsWalk) => Promise<Extents>;
  /** Runs ffprobe and returns what it printed. */
  readonly probe: (args: readonly string[]) => Promise<string>;
  /** Runs ffprobe and hands over what it prints, line by line. */
  readonly lines: (args: readonly string[], line: (line: string) => void) => Promise<void>;
};

/** ffprobe ends with an error where it cannot read a file: that is the file's fault. */
const orCorrupt = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.reason === 'tool_failed') throw refusal('source_corrupt', error.message);
    throw error;
  }
};

/** @throws AppError INVALID_ARGUMENT with a failure code as its reason */
export const inspectSource = async (ports: InspectPorts, limits: Limits, rules: PieceRules): Promise<TitlePlan> => {
  const bytes = await ports.fetch();
  const demuxer = admitContainer(sniff(await ports.head()));
  admitExtents(await ports.walk(demuxer === 'mov' ? walkMp4(bytes) : walkMatroska(bytes)));
  const facts = readFacts(await orCorrupt(ports.probe(probeArguments(demuxer, sourceName))), demuxer);
  const declared = admitStreams(facts, limits);
  const pictures = await orCorrupt(ports.probe(firstPicturesArguments(demuxer, declared.index, sourceName)));
  const video = withFirstPictures(declared, pictures);
  if (!video) throw refusal('source_corrupt', 'not one of the first pictures can be decoded');
  const sink = scanPackets(video.index, facts.audio?.index);
  await orCorrupt(ports.lines(packetArguments(demuxer, sourceName), sink.line));
  const scan = sink.finish();
  admitFrames(facts, scan, limits);
  return planTitle({ ...facts, video }, scan, bytes, rules);
};
