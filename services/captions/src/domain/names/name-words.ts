/** Words that become a name: which may, and how they take it. */
import { divideSpan, type Word } from '../words.ts';

/** Nobody pauses so long within a name. */
const MAX_PAUSE_MS = 500;
/** An English genitive and the marks after a word. */
const ending = /(['’]s)?[\p{P}\p{S}]*$/u;

/** Whether the words can be one name: no pause and no mark between them. */
export function isOneSpan(window: readonly Word[]): boolean {
  return window.slice(1).every((word, index) => {
    const before = window[index];
    return before !== undefined && word.startMs - before.endMs <= MAX_PAUSE_MS && !/[\p{P}\p{S}]$/u.test(before.text);
  });
}

/**
 * The name in the time of the words, with the marks around them.
 * @param isGenitive whether an English genitive stays, too
 */
export function replaced(window: readonly Word[], name: readonly string[], isGenitive = true): Word[] {
  const [first, last] = [window[0], window.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [before] = /^[\p{P}\p{S}]*/u.exec(first.text) ?? [''];
  const [after = '', genitive = ''] = ending.exec(last.text) ?? [];
  const marks = isGenitive ? after : after.slice(genitive.length);
  const confidence = Math.min(...window.map((word) => word.confidence ?? 1));
  const texts = name.map((text, at) => (at === 0 ? before : '') + text + (at === name.length - 1 ? marks : ''));
  if (texts.length === window.length) return window.map((word, at) => ({ ...word, text: texts[at] ?? word.text }));
  const span = { startMs: first.startMs, endMs: last.endMs };
  return divideSpan(
    texts.map((text) => ({ text, confidence })),
    ({ text }) => text.length,
    span,
  );
}

/** Without the marks around it and an English genitive. */
export function bare(text: string): string {
  return text.replace(/^[\p{P}\p{S}]+/u, '').replace(ending, '');
}

/** Without the spaces between its words, as it sounds. */
export function joined(texts: readonly string[]): string {
  return texts.join('');
}

/** Whether the word is one of the name's, however its letters are written. */
export function isOf(name: readonly string[], text: string): boolean {
  return name.some((part) => part.toLowerCase() === text.toLowerCase());
}
