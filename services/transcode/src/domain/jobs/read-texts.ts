/** The captions that came inside the source: text tracks, and those of television inside the pictures. */
import { AppError } from '@vds/chassis/errors';
import { textsDocument, type TextTrack } from '@vds/proto/documents/texts';
import {
  closedCaptionArguments,
  closedCaptionName,
  sourceName,
  textArguments,
  textName,
} from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import type { ReadTexts } from '../plan/job-results.ts';
import { languageTagOf } from '../source/probe.ts';
import { readCues, withoutRepeats } from '../source/text-cues.ts';
import type { EncodePorts } from './encode-ports.ts';

export const textsName = 'texts.json';

/** A track that cannot be read costs the video nothing. */
export async function readTexts(ports: EncodePorts, plan: EncodePlan, videoId: string): Promise<ReadTexts> {
  const { demuxer, texts = [], video } = plan.probe;
  await ports.fetch(sourceName);
  const tracks: TextTrack[] = [];
  for (const { index, language } of texts) {
    const cues = await readOne(ports, plan, textArguments(demuxer, [index]), textName(0));
    if (cues.length > 0) tracks.push({ language: languageTagOf(language), cues });
  }
  if (video.closedCaptions) {
    const cues = withoutRepeats(await readOne(ports, plan, closedCaptionArguments(demuxer), closedCaptionName));
    if (cues.length > 0) tracks.push({ language: null, cues });
  }
  const languages = tracks.map(({ language }) => language ?? '');
  if (tracks.length > 0)
    await ports.put(textsName, Buffer.from(textsDocument.write({ version: 1, videoId, tracks })), 'application/json');
  return { kind: 'texts', folder: ports.folder, languages };
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
