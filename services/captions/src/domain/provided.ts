/** Captions that came inside the partner's file: which language each has, and how its cues become a track. */
import type { TextCue } from '@vds/proto/documents/texts';
import type { TrackSentence } from '@vds/proto/documents/track';
import { languageTag, sameLanguage } from './language-tag.ts';
import type { Cue } from './layout/cues.ts';
import { plainText } from './plain-text.ts';
import { splitBetween } from './words.ts';

type Provided = { readonly language: string; readonly textLanguages: readonly string[] };

/** A sentence ends here in any language, perhaps within quotes. */
const ends = /[.!?…。！？।؟۔]["'”’»)\]]*$/u;
/** Another speaker begins. */
const dash = /^[-–—](?: (?=\S)|(?=[\p{L}"'“«¿¡]))/u;
/** Of a sentence, as of the track's document. */
const MAX_SENTENCE = 2_000;
/** No speaker pauses that long within a sentence. */
const PAUSE_MS = 3_000;

/**
 * The languages in the document's order, as BCP 47 writes them; undefined for a track that is nobody's: a second one of
 * its language, or one that does not say which.
 * A track without a language is in the spoken one, if none says that it is.
 */
export function languagesOf({ language: spoken, textLanguages }: Provided): readonly (string | undefined)[] {
  // Containers have three letters.
  const tags = textLanguages.map(languageTag);
  const unnamed = tags.some((tag) => tag !== undefined && sameLanguage(tag, spoken)) ? -1 : tags.indexOf(undefined);
  const named = tags.map((tag, index) => (index === unnamed ? spoken : tag));
  return named.map((tag, index) =>
    tag !== undefined && named.findIndex((other) => other !== undefined && sameLanguage(other, tag)) === index
      ? tag
      : undefined,
  );
}

export function providedLanguages(job: Provided): string[] {
  return languagesOf(job).filter((language) => language !== undefined);
}

/** Cues and sentences of a track, with the partner's lines and times. */
export function layOut(provided: readonly TextCue[]) {
  const cues: Cue[] = provided.flatMap(({ startMs, endMs, lines }) => {
    const plain = lines.map(plainText).filter((line) => line !== '');
    return plain.length === 0 ? [] : [{ startMs, endMs, lines: plain }];
  });
  return { cues, sentences: sentencesOf(cues) };
}

/** What is translated as a whole: the cues up to the end of a sentence. */
function sentencesOf(cues: readonly Cue[]): TrackSentence[] {
  const isEnd = (last: Cue, next: Cue, group: readonly Cue[]): boolean =>
    ends.test(last.lines.at(-1) ?? '') ||
    next.startMs - last.endMs >= PAUSE_MS ||
    textOf([...group, next]).length > MAX_SENTENCE / 4;
  return splitBetween(cues, isEnd).map((group) => ({
    startMs: group[0]?.startMs ?? 0,
    endMs: Math.max(...group.map(({ endMs }) => endMs)),
    text: withoutDashes(group).slice(0, MAX_SENTENCE).toWellFormed(),
    ...(dash.test(group[0]?.lines[0] ?? '') && { turn: true }),
    cues: group.map(({ startMs, endMs }) => ({ startMs, endMs })),
  }));
}

/** Dashes of speakers are no words. */
function withoutDashes(cues: readonly Cue[]): string {
  return textOf(cues.map((cue) => ({ ...cue, lines: cue.lines.map((line) => line.replace(dash, '')) })));
}

function textOf(cues: readonly Cue[]): string {
  return cues.map(({ lines }) => lines.join(' ')).join(' ');
}
