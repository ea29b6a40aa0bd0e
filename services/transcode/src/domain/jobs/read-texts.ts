/** The captions that came inside the source: text tracks, and those of television inside the pictures. */
import { AppError } from '@vds/chassis/errors';
import type { TextCue, TextTrack } from '@vds/proto/documents/texts';
import { sourceName } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { closedCaptionArguments, closedCaptionName, textArguments, textName } from '../plan/side-arguments.ts';
import { languageTagOf } from '../source/probe-json.ts';
import { isSpoken, readCues, withoutRepeats } from '../source/text-cues.ts';
import type { EncodePorts } from './encode-ports.ts';

/** Characters of all tracks together: thirty hours of speech in two languages. */
const MAX_CHARACTERS = 4_000_000;

/** A track that cannot be read, says next to nothing, or is more than all of them may hold, is left out. */
export async function readTexts(ports: EncodePorts, plan: EncodePlan): Promise<TextTrack[]> {
  const { demuxer, texts = [], video } = plan.probe;
  await ports.fetch(sourceName);
  const tracks: TextTrack[] = [];
  let left = MAX_CHARACTERS;
  const add = (language: string | undefined, cues: readonly TextCue[]): void => {
    const size = cues.reduce((sum, { lines }) => lines.reduce((all, line) => all + line.length, sum), 0);
    if (size > left || !isSpoken(cues, plan.timeline.end)) return;
    left -= size;
    tracks.push({ language: languageTagOf(language), cues });
  };
  for (const [place, { index, language }] of texts.entries()) {
    add(language, await readOne(ports, plan, textArguments(demuxer, index), textName));
    ports.progress(Math.min(99, (100 * (place + 1)) / texts.length));
  }
  if (video.closedCaptions) {
    const args = closedCaptionArguments(demuxer, video);
    add(undefined, withoutRepeats(await readOne(ports, plan, args, closedCaptionName)));
  }
  return tracks;
}

async function readOne(
  { ffmpeg, read, progress }: EncodePorts,
  { timeline }: EncodePlan,
  args: string[],
  file: string,
) {
  try {
    await ffmpeg(['-y', ...args], [progressOf(timeline.end, progress)]);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'tool_failed') throw error;
    return [];
  }
  const vtt = await read(file);
  return vtt ? readCues(vtt.toString('utf8'), timeline.zero, timeline.end) : [];
}

/** Reads what ffmpeg prints of its progress: decoding a film takes long. */
function progressOf(end: number, progress: (percent: number) => void) {
  return async (stream: AsyncIterable<Uint8Array>): Promise<void> => {
    let reached = 0;
    for await (const chunk of stream) {
      const [, microseconds = ''] = /out_time_us=(\d+)/.exec(Buffer.from(chunk).toString('latin1')) ?? [];
      const at = Number(microseconds) / 1_000_000;
      if (at > reached) progress(Math.min(99, (100 * (reached = at)) / end));
    }
  };
}
