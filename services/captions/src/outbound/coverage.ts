/** What the engines can do, as they were last seen. One that is away is looked for again, but not at every turn. */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { pause } from '@vds/chassis/process/async';
import { findRoutes, type FindRoute } from '../domain/routes.ts';
import type { Known } from '../domain/caption-job.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { Pair, TranslationEngine } from './engines/translation-engine.ts';

/** An answer is good for so long: an operator adds languages without telling us. */
const FRESH_MS = 300_000;

type Times = {
  /** How often an engine that is away is looked for. */
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
    /** Languages that are heard, routes between languages; `force` looks at the engine now. @throws AppError UNAVAILABLE while the engine is away */
    languages: () => speechGlance.look(),
    translations: (force = false) => translationGlance.look(force),
    /**
     * What is known now; parts are absent while their engine is away.
     * @param force looks at the engines now, however lately that was done
     * @param patienceMs what was seen last is good enough where an engine takes longer; as long as it takes unless given
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
    lookedAt: (): Date => {
      const dates = [speechGlance.lookedAt(), translationGlance.lookedAt()].filter((date) => date !== undefined);
      return dates.reduce((first, date) => (date < first ? date : first), dates[0] ?? new Date(now()));
    },
  };
}

/** One engine's answer, asked for when it is wanted and not known, once however many want it. */
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
    /** What it says, or undefined where it cannot be asked; what it said last where it takes longer than `patienceMs`. */
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
    /** A call has failed: the next look asks first. */
    doubt: (): void => void (doubted = true),
    lookedAt: (): Date | undefined => (last ? new Date(last.at) : undefined),
  };
}

/** Logs that an engine is away, and that it is back. */
function noteChanges(log: Logger) {
  const seen = new Map<string, boolean>();
  return (engine: string, isThere: boolean): void => {
    if (seen.get(engine) === isThere) return;
    if (!isThere) log.warn({ engine }, 'an engine is away; what needs it waits');
    else if (seen.has(engine)) log.info({ engine }, 'an engine is back');
    seen.set(engine, isThere);
  };
}
