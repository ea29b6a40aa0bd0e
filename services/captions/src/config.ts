/** The configuration of captions. */
import {
  choice,
  commaSeparated,
  duration,
  flag,
  integer,
  optional,
  secret,
  text,
  url,
  withDefault,
} from '@vds/chassis/config/config';
import type { ConfigOf, ConfigSpec, Reader } from '@vds/chassis/config/config';
import { scaled, unscaled } from '@vds/chassis/config/times';
import { objectsConfig } from '@vds/chassis/objects/objects';
import { adminRpcConfig, rpcServerConfig } from '@vds/chassis/rpc/rpc';
import { staffConfig } from '@vds/chassis/rpc/staff';
import { toolConfig } from '@vds/chassis/sandbox/tools';
import { videosInUseConfig } from '@vds/chassis/stage/videos-in-use';
import { workerConfig } from '@vds/chassis/stage/worker';
import { languageTag } from './domain/language-tag.ts';
import { defaultTargets } from './domain/plan-tracks.ts';

/** BCP 47 tags between commas, each once, in their canonical form. */
const languageTags: Reader<readonly string[]> = (value, name) => {
  const items = commaSeparated(value, name);
  const tags = items.map(languageTag);
  const bad = items.filter((_text, index) => tags[index] === undefined);
  if (bad.length > 0) throw new Error(`${name} must hold BCP 47 tags between commas, got '${bad.join("', '")}'`);
  return tags.filter((tag) => tag !== undefined);
};

/** Two letters of ISO 639-1 each, between commas. */
const spokenLanguages: Reader<readonly string[]> = (value, name) => {
  const items = commaSeparated(value, name);
  if (!items.every((code) => /^[a-z]{2}$/.test(code)))
    throw new Error(`${name} must hold two lowercase letters a language, between commas, got '${value}'`);
  return items;
};

const speech = {
  /** What transcribes: `whisper` (inside), `openai` (a server with its interface), or nothing. */
  speechEngine: ['SPEECH_ENGINE', withDefault(choice('whisper', 'openai', 'none'), 'whisper')],
  /** A Python interpreter with the package faster-whisper, of `whisper` and `ctranslate2`. */
  speechPython: ['SPEECH_PYTHON', withDefault(text, 'python3')],
  /** Of `openai`, the server's base address including `/v1`. */
  speechUrl: ['SPEECH_URL', optional(url)],
  /** Of whisper the folder of a CTranslate2 model (empty: the image's), of openai the model's name. */
  speechModel: ['SPEECH_MODEL', optional(text)],
  /** Its key. */
  speechKey: ['SPEECH_KEY', optional(secret)],
  /** The languages of an engine that cannot report them itself. */
  speechLanguages: ['SPEECH_LANGUAGES', spokenLanguages],
  /** Whether the server at SPEECH_URL has `/v1/audio/translations`, which makes English of any language. */
  speechTranslates: ['SPEECH_TRANSLATES', withDefault(flag, false)],
  /** How long it may take for one chunk. */
  speechTimeoutMs: ['SPEECH_TIMEOUT', withDefault(duration, 300_000)],
} as const satisfies ConfigSpec;

const translation = {
  /** What translates: `apertium` (inside), `ctranslate2` (inside, a model of yours), `libretranslate` (a server), or nothing. */
  translationEngine: [
    'TRANSLATION_ENGINE',
    withDefault(choice('apertium', 'ctranslate2', 'libretranslate', 'none'), 'apertium'),
  ],
  /** Of `ctranslate2`, the folder of a CTranslate2 model: NLLB, M2M-100 or OPUS-MT. */
  translationModel: ['TRANSLATION_MODEL', optional(text)],
  /** Of `libretranslate`, the server's base address. */
  translationUrl: ['TRANSLATION_URL', optional(url)],
  /** Its key. */
  translationKey: ['TRANSLATION_KEY', optional(secret)],
  /** How long one translation may take. */
  translationTimeoutMs: ['TRANSLATION_TIMEOUT', withDefault(duration, 120_000)],
  /** BCP 47 tags of the languages to translate into; empty: a list by engine. */
  captionLanguages: ['CAPTION_LANGUAGES', languageTags],
  /** Whose captions name sounds in brackets: videos of the category sports, all, or none. */
  soundCues: ['SOUND_CUES', withDefault(choice('sports', 'all', 'none'), 'sports')],
} as const satisfies ConfigSpec;

export const engineConfig = { ...speech, ...translation } as const satisfies ConfigSpec;

export const captionsConfig = {
  ...workerConfig,
  ...objectsConfig,
  ...rpcServerConfig,
  ...adminRpcConfig,
  ...staffConfig,
  ...videosInUseConfig,
  ...engineConfig,
  /** The bucket of renditions. */
  mediaBucket: ['MEDIA_BUCKET', withDefault(text, 'media')],
  /** The bucket of caption tracks. */
  captionsBucket: ['CAPTIONS_BUCKET', withDefault(text, 'captions')],
  /** The scratch folder needs room for a chunk of sound per slot: 10 MiB for 3 minutes. */
  ...toolConfig,
  /** Chunks that are transcribed at a time, and requests to a speech server. */
  transcribeSlots: ['TRANSCRIBE_SLOTS', withDefault(integer(0, 64), 1)],
  /** Tracks that are translated at a time, and requests to a translation server or programs of apertium. */
  translateSlots: ['TRANSLATE_SLOTS', withDefault(integer(0, 64), 2)],
  /** Length of what is transcribed at a time; longer videos are transcribed in several chunks. */
  ...unscaled({ chunkMs: 180_000 }),
  ...scaled({
    /** Waits before the second try, the third and so on; the last one repeats. */
    retryDelaysMs: [1_000, 5_000, 20_000, 60_000],
    /** How often an unreachable engine is probed. */
    surveyEveryMs: 30_000,
    /** When files of lost tries and replaced tracks are removed; longer than players read a playlist. */
    garbageAfterMs: 600_000,
  }),
} as const satisfies ConfigSpec;

export type CaptionsConfig = ConfigOf<typeof captionsConfig>;

/** The operator's list of targets, or the engine's default. */
export function targetsOf({ captionLanguages, translationEngine }: CaptionsConfig): readonly string[] {
  return captionLanguages.length > 0 ? captionLanguages : defaultTargets(translationEngine);
}

/**
 * Checks rules over several variables.
 * @throws Error that names every fault, one per line
 */
export function checkTogether(config: CaptionsConfig): void {
  const faults: string[] = [];
  if (config.speechEngine === 'openai' && config.speechUrl === undefined)
    faults.push('SPEECH_URL is not set, which SPEECH_ENGINE=openai needs');
  if (config.translationEngine === 'libretranslate' && config.translationUrl === undefined)
    faults.push('TRANSLATION_URL is not set, which TRANSLATION_ENGINE=libretranslate needs');
  if (config.translationEngine === 'ctranslate2' && config.translationModel === undefined)
    faults.push('TRANSLATION_MODEL is not set, which TRANSLATION_ENGINE=ctranslate2 needs');
  if (faults.length > 0) throw new Error(`bad configuration:\n  ${faults.join('\n  ')}`);
}
