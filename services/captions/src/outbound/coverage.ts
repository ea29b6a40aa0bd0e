/** What the engines support, by their last response. An unavailable one is queried again, but not at every call. */
import { AppError, messageOf } from '@vds/chassis/errors';
import { pause, singleFlight } from '@vds/chassis/async';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Capabilities } from '../domain/caption-job.ts';
import { findRoutes, routesThrough } from '../domain/routes.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';

/** How long a response is used: an operator may add languages at any time. */
const FRESH_MS = 300_000;

/** For RPC: the caller must not wait for a slow engine. */
export const RPC_TIMEOUT_MS = 4_000;

type QueryOptions = {
  /** Queries the engines now, however recent the last response is. */
  readonly force?: boolean;
  /** Where an engine takes longer, its last response is used; without it, waits as long as it takes. */
  readonly timeoutMs?: number;
};

type CacheOptions = {
  readonly log: Logger;
  /** How often an unavailable engine is queried. */
  readonly everyMs: number;
  readonly now?: () => number;
};

export type Coverage = ReturnType<typeof openCoverage>;

export function openCoverage({
  speech,
  translation,
  ...options
}: CacheOptions & { readonly speech: SpeechEngine; readonly translation: TranslationEngine }) {
  const languages = cacheResponse(speech.name, () => speech.languages(), options);
  const speechToEnglish = speech.toEnglish !== undefined;
  const queryRoutes = async () => routesThrough(findRoutes(await translation.pairs()), speechToEnglish);
  const routes = cacheResponse(translation.name, queryRoutes, options);
  return {
    speechEngine: speech.name,
    translationEngine: translation.name,
    /**
     * Languages that can be transcribed, and routes between languages; `force` queries the engine now.
     * @throws AppError UNAVAILABLE while the engine cannot be reached
     */
    languages: () => languages.get(),
    routes: (force = false) => routes.get(force),
    /** What is known now; parts are undefined while their engine is unavailable. */
    capabilities: async (query: QueryOptions = {}): Promise<Capabilities> => {
      const [speechLanguages, found] = await Promise.all([languages.find(query), routes.find(query)]);
      return { speechLanguages, routes: found, speechToEnglish };
    },
    /** After a failed call: the next use queries the engine first. */
    invalidateSpeech: languages.invalidate,
    invalidateTranslation: routes.invalidate,
    /** When the engines were queried last, the earlier of both. */
    checkedAt: (): Date => new Date(Math.min(languages.checkedAt(), routes.checkedAt())),
  };
}

/** One engine's response, requested when it is needed and not known, once for all concurrent callers. */
function cacheResponse<T>(engine: string, query: () => Promise<T>, { log, everyMs, now = Date.now }: CacheOptions) {
  let last: { readonly at: number; readonly value?: T; readonly error?: AppError } | undefined;
  let isValid = true;
  let wasAvailable: boolean | undefined;

  const refresh = singleFlight(async (): Promise<T> => {
    isValid = true;
    try {
      const value = await query();
      last = { at: now(), value };
      return value;
    } catch (cause) {
      const error = new AppError('UNAVAILABLE', `the engine cannot be queried: ${messageOf(cause)}`, {
        reason: 'engine_error',
        cause,
      });
      last = { at: now(), error };
      throw error;
    }
  });
  const get = async (force = false): Promise<T> => {
    const age = last === undefined ? Number.POSITIVE_INFINITY : now() - last.at;
    if (!force && last?.error && age < everyMs) throw last.error;
    if (!force && isValid && last?.value !== undefined && age < FRESH_MS) return last.value;
    return refresh();
  };
  const getOrUndefined = async ({ force = false, timeoutMs }: QueryOptions): Promise<T | undefined> => {
    const response = get(force).catch((error: unknown) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
    if (timeoutMs === undefined) return response;
    const settled = new AbortController();
    const lastValue = pause(timeoutMs, settled.signal).then(() => last?.value);
    return Promise.race([response, lastValue]).finally(() => settled.abort());
  };
  return {
    get,
    /** Undefined where the engine cannot be reached; logs that it is unavailable, and that it is available again. */
    find: async (options: QueryOptions): Promise<T | undefined> => {
      const value = await getOrUndefined(options);
      const isAvailable = value !== undefined;
      if (wasAvailable !== isAvailable && !isAvailable) log.warn({ engine }, 'engine unavailable: its work waits');
      if (wasAvailable === false && isAvailable) log.info({ engine }, 'engine available again');
      wasAvailable = isAvailable;
      return value;
    },
    invalidate: (): void => void (isValid = false),
    checkedAt: (): number => last?.at ?? now(),
  };
}
