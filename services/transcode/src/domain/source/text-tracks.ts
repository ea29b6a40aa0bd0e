/** Which of a file's tracks are captions: text that is shown beside what is spoken. */
import { MAX_TEXT_TRACKS } from '@vds/proto/documents/texts';

export type TextStream = {
  readonly index: number;
  readonly language: string | undefined;
};

/** Decoders of text, by their names in ffmpeg. */
export const textDecoders = 'mov_text,subrip,srt,ass,ssa,webvtt,text,cc_dec';
const textCodecs = new Set(['mov_text', 'subrip', 'ass', 'ssa', 'webvtt', 'text', 'eia_608']);

type Candidate = TextStream & {
  readonly codec: string;
  /** Only what is not in the viewer's language, or what is sung. */
  readonly isPartial: boolean;
  readonly isEmpty: boolean;
};

/** The tracks that become captions, and whether others are left out: pictures of text, forced and empty ones, songs. */
export function chooseTexts(candidates: readonly Candidate[]) {
  const chosen = candidates.filter(({ codec, isPartial, isEmpty }) => textCodecs.has(codec) && !isPartial && !isEmpty);
  const texts = chosen.slice(0, MAX_TEXT_TRACKS).map(({ index, language }) => ({ index, language }));
  return { texts, textsLeftOut: texts.length < candidates.length };
}
