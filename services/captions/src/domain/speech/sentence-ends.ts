/** Where a sentence ends by the punctuation of a speech engine. */
import { primarySubtag } from '../language-tag.ts';
import { wordSet, type Word } from '../words.ts';

/** Quotes and brackets that may follow a mark. */
const closed = `["'”’»)\\]]*$`;
/** Marks that end a sentence, of all scripts. */
const terminal = new RegExp(`[.!?…。！？．؟۔।։።။។]${closed}`, 'u');
/** Marks that are also written after an abbreviation, a number or a pause of the speaker. */
const fullStop = new RegExp(`[.…]${closed}`, 'u');
const clauseMark = new RegExp(`[,;:，、；：،؛—–]${closed}`, 'u');

/** Titles and others that are written with a full stop and followed by what they belong to. */
const titles = wordSet('mr mrs ms dr dra prof st ste sta sr sra srta sig dott hr fr vs bzw ca');
/** Abbreviations only before a number; "no." is also an answer. */
const numbered = wordSet('no nr nº num núm');
/** "J.", "U.S.", "p.m.", "z.B." */
const letters = /^["'“‘«(]*\p{L}(\.\p{L})*\.$/u;
const number = /^\p{N}+\.$/u;
/** Languages that write ordinals as a number with a full stop. */
const ordinals = wordSet('de lb da no nb nn is fo fi et lv hu cs sk sl hr sr bs pl tr');
const ellipsis = new RegExp(`(…|\\.\\.)${closed}`, 'u');
/** An abbreviation ends a sentence only where the speaker pauses. */
const PAUSE_MS = 150;
/** After such a pause a sentence may begin with a small letter: Whisper writes windows of 30 s without capitals. */
const SENTENCE_PAUSE_MS = 300;

export function endsWithMark({ text }: Word): boolean {
  return terminal.test(text);
}

/** Whether a word ends a sentence or a part of one. */
export function endsClause({ text }: Word): boolean {
  return terminal.test(text) || clauseMark.test(text);
}

/** Whether a word ends with a full stop that ends no sentence, whatever follows: "Mr.", "vs." */
export function isTitle(text: string): boolean {
  return text.endsWith('.') && titles.has(text.slice(0, -1).toLowerCase());
}

/**
 * Whether a sentence ends between two neighbours. Without a pause a small letter begins none after a full stop, if the
 * engine writes capitals at all.
 */
export function endsSentence(word: Word, next: Word, language: string, hasCapitals: boolean): boolean {
  const { text } = word;
  if (!terminal.test(text) || isTitle(text)) return false;
  if (!fullStop.test(text)) return true;
  const pause = next.startMs - word.endMs;
  if (hasCapitals && beginsLower(next) && (pause < SENTENCE_PAUSE_MS || ellipsis.test(text))) return false;
  if (numbered.has(text.slice(0, -1).toLowerCase())) return !/^\p{N}/u.test(next.text);
  const isDoubtful =
    (letters.test(text) && text !== 'I.') || (number.test(text) && ordinals.has(primarySubtag(language)));
  return !isDoubtful || pause >= PAUSE_MS;
}

/** Whether a full stop was written because the sound ended there: its sentence continues without a pause. */
export function isCutOff({ text, endMs }: Word, next: Word): boolean {
  return fullStop.test(text) && !isTitle(text) && beginsLower(next) && next.startMs - endMs < SENTENCE_PAUSE_MS;
}

/** Whether a word begins with a small letter; "iPhone" does not. */
export function beginsLower({ text }: Word): boolean {
  return /^["'“‘«(¿¡]*\p{Ll}(?!\p{Lu})/u.test(text);
}

export function beginsUpper({ text }: Word): boolean {
  return /^["'“‘«(¿¡]*\p{Lu}/u.test(text);
}
