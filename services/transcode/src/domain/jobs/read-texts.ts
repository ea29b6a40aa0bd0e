/** The captions that came inside the source: text tracks, and those of television inside the pictures. */
import { AppError } from '@vds/chassis/errors';
import type { TextTrack } from '@vds/proto/documents/texts';
import { sourceName } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { closedCaptionArguments, closedCaptionName, textArguments, textName } from '../plan/side-arguments.ts';
import { languageTagOf } from '../source/probe-json.ts';
import { readCues, withoutRepeats } from '../source/text-cues.ts';
import type { EncodePorts } from './encode-ports.ts';

/** A track that cannot be read costs the video nothing. */
export async function readTexts(ports: EncodePorts, plan: EncodePlan): Promise<TextTrack[]> {
  const { demuxer, texts = [], video } = plan.probe;
  await ports.fetch(sourceName);
  const tracks: TextTrack[] = [];
  for (const { index, language } of texts) {
    const cues = await readOne(ports, plan, textArguments(demuxer, index), textName);
    if (cues.length > 0) tracks.push({ language: languageTagOf(language), cues });
  }
  if (video.closedCaptions) {
    const cues = withoutRepeats(await readOne(ports, plan, closedCaptionArguments(demuxer), closedCaptionName));
    if (cues.length > 0) tracks.push({ language: null, cues });
  }
  return tracks;
}

async function readOne(ports: EncodePorts, { timeline }: EncodePlan, args: readonly string[], file: string) {
  try {
    await ports.ffmpeg(['-y', ...args]);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'tool_failed') throw error;
    return [];
  }
  const vtt = await ports.read(file);
  return vtt ? readCues(vtt.toString('utf8'), timeline.zero, timeline.end) : [];
}
