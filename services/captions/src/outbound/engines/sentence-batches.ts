/** Sentences that an engine translates at a time. */
import { splitBetween } from '../../domain/words.ts';

/** Servers limit a request's characters and sentences; these are below their default limits. */
const BATCH_SENTENCES = 50;
const BATCH_CHARACTERS = 4_000;

/** Sentences as a list of lists, each small enough for one request. */
export function batchesOf(sentences: readonly string[]): string[][] {
  return splitBetween(
    sentences,
    (_last, next, batch) => batch.length === BATCH_SENTENCES || batch.join('').length + next.length > BATCH_CHARACTERS,
  );
}
