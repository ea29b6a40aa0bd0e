/** What the engines support, by their last answer. An unavailable one is queried again, but not at every call. */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { pause } from '@vds/chassis/process/async';
import { findRoutes, type FindRoute } from '../domain/routes.ts';
import type { Known } from '../domain/caption-job.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { Pair, TranslationEngine } from './engines/translation-engine.ts';

/** How long an answer is used: an operator may add languages at any time. */
const FRESH_MS = 300_000;

type Times = {
  /** How often an unavailable engine is queried. */
  readonly everyMs: number;
  readonly now: () => number;
};

export type Translations = { readonly pairs: readonly Pair[]; readonly routes: FindRoute };
export type Coverage = ReturnType<typeof openCoverage>;

export function openCoverage(given: {
  readonly speech: SpeechEngine;
  readonly translation: TranslationEngine;
  readonly everyMs: number;
  readonly log: Logger;
  readonly now?: () => number;
}) {
  const { speech, translation, log, everyMs, now = Date.now } = given;
  const speechGlance = createGlance(() => speech.languages(), { everyMs, now });
  const translationGlance = createGlance(
    async (): Promise<Translations> => {
      const pairs = await translation.pairs();
      return { pairs, routes: findRoutes(pairs) };
    },
    { everyMs, now },
  );
  const note = noteChanges(log);

  return {
    speechEngine: speech.name,
    translationEngine: translation.name,
    /**
     * Languages that can be transcribed, and routes between languages; `force` queries the engine now.
     * @throws AppError UNAVAILABLE while the engine cannot be reached
     */
    languages: () => speechGlance.look(),
    translations: (force = false) => translationGlance.look(force),
    /**
     * What is known now; parts are absent while their engine is unavailable.
     * @param force queries the engines now, however recent the last answer is
     * @param patienceMs where an engine takes longer, its last answer is used; without it, waits as long as it takes
     */
    known: async (force = false, patienceMs?: number): Promise<Known> => {
      const [languages, ways] = await Promise.all([
        speechGlance.peek(force, patienceMs),
        translationGlance.peek(force, patienceMs),
      ]);
      note(speech.name, languages !== undefined);
      note(translation.name, ways !== undefined);
      return { speechLanguages: languages, routes: ways?.routes };
    },
    doubtSpeech: speechGlance.doubt,
    doubtTranslation: translationGlance.doubt,
    checkedAt: (): Date => {
      const dates = [speechGlance.checkedAt(), translationGlance.checkedAt()].filter((date) => date !== undefined);
      return dates.reduce((first, date) => (date < first ? date : first), dates[0] ?? new Date(now()));
    },
  };
}

/** One engine's answer, requested when it is needed and not known, once for all concurrent callers. */
function createGlance<T>(ask: () => Promise<T>, { everyMs, now }: Times) {
  let last: { readonly at: number; readonly value?: T; readonly error?: AppError } | undefined;
  let doubted = false;
  let asking: Promise<T> | undefined;

  const again = async (): Promise<T> => {
    doubted = false;
    try {
      const value = await ask();
      last = { at: now(), value };
      return value;
    } catch (cause) {
      const text = `cannot be asked: ${messageOf(cause)}`;
      const error = new AppError('UNAVAILABLE', text, { reason: 'engine_error', cause });
      last = { at: now(), error };
      throw error;
    } finally {
      asking = undefined;
    }
  };
  const look = async (force = false): Promise<T> => {
    const age = last === undefined ? Number.POSITIVE_INFINITY : now() - last.at;
    if (!force && last?.error && age < everyMs) throw last.error;
    if (!force && !doubted && last?.value !== undefined && age < FRESH_MS) return last.value;
    return (asking ??= again());
  };
  return {
    look,
    /** Its answer, or undefined where it cannot be reached; its last answer where it takes longer than `patienceMs`. */
    peek: async (force: boolean, patienceMs: number | undefined): Promise<T | undefined> => {
      const asked = look(force).catch((error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      });
      if (patienceMs === undefined) return asked;
      const enough = new AbortController();
      const waited = pause(patienceMs, enough.signal).then(() => last?.value);
      return Promise.race([asked, waited]).finally(() => enough.abort());
    },
    /** After a failed call: the next use queries the engine first. */
    doubt: (): void => void (doubted = true),
    checkedAt: (): Date | undefined => (last ? new Date(last.at) : undefined),
  };
}

/** Logs that an engine is unavailable, and that it is available again. */
function noteChanges(log: Logger) {
  const seen = new Map<string, boolean>();
  return (engine: string, isThere: boolean): void => {
    if (seen.get(engine) === isThere) return;
    if (!isThere) log.warn({ engine }, 'an engine is away; what needs it waits');
    else if (seen.has(engine)) log.info({ engine }, 'an engine is back');
    seen.set(engine, isThere);
  };
}
