/**
 * The embedded speech engine: a Whisper model that faster-whisper runs on processors. Languages are those of the model;
 * with one of several languages it also writes English of what is spoken in them.
 */
import { AppError } from '@vds/chassis/errors';
import { spellHinted } from '../../domain/names/spell-hinted.ts';
import { withoutInvented, type Segment } from '../../domain/speech/invented-words.ts';
import { joinPieces } from '../../domain/speech/join-pieces.ts';
import { splitBetween, type Word } from '../../domain/words.ts';
import { openPythonModel, type PythonModelOptions } from './python-model.ts';
import type { SpeechEngine, TranscriptionInput } from './speech-engine.ts';
import { readSamples } from './wav.ts';
import { requestSegments, type WhisperRequest } from './whisper-response.ts';
import { readLanguage } from './whisper-languages.ts';

const kind = {
  ...{ name: 'whisper', program: 'whisper.py', setting: 'SPEECH_MODEL' },
  holds: "a CTranslate2 Whisper model ('npm run servers -- install' makes one)",
};

/**
 * Finds the package faster-whisper and loads the model once, in the sandbox.
 * @throws AppError FAILED_PRECONDITION whose message states what to set or install
 */
export async function openWhisper(options: PythonModelOptions): Promise<SpeechEngine> {
  const { pool, ready, folder } = await openPythonModel(kind, options);
  const codes = languageCodes(ready.languages);
  options.log.info({ faster_whisper: ready.version, model: folder, languages: codes.size }, 'speech engine');
  const work = (task: WhisperRequest['task']): SpeechEngine['transcribe'] => {
    return async (input, signal, onProgress) => {
      const language = codes.get(input.language);
      if (language === undefined)
        throw new AppError('FAILED_PRECONDITION', `the model does not know the language '${input.language}'`, {
          reason: 'engine_error',
        });
      const request = {
        language,
        task,
        hotwords: input.names?.join(', ') ?? '',
        samples: await readSamples(input.wavPath),
      };
      const segments = await pool.use((process) => requestSegments(process, request, signal, onProgress));
      return wordsOf(segments, input);
    };
  };
  return {
    name: 'whisper',
    languages: () => Promise.resolve([...codes.keys()]),
    transcribe: work('transcribe'),
    // A model of English alone has not learnt to translate.
    ...(codes.size > 1 && { toEnglish: work('translate') }),
    close: pool.close,
  };
}

/** Whisper's codes by those of ISO 639-1; what has none of two letters cannot be a video's language. */
function languageCodes(languages: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    languages.flatMap((code) => {
      const known = readLanguage(code);
      return known === undefined ? [] : [[known, code] as const];
    }),
  );
}

/** Words in the video's time. */
function wordsOf(segments: readonly Segment[], { durationMs, offsetMs, names = [] }: TranscriptionInput): Word[] {
  const windows = splitBetween(withoutInvented(segments), (last, next) => last.hint !== next.hint);
  const words = windows.flatMap((window) => {
    // A segment begins with a word of its own, whether or not the model writes a space there.
    const heard = window.flatMap((segment) => joinPieces(segment.words));
    const hints = window[0]?.hint?.split('\n') ?? [];
    return hints.reduce((spelt, hint) => spellHinted(spelt, hint, names), heard);
  });
  return words.map((word) => ({
    ...word,
    startMs: Math.min(word.startMs, durationMs) + offsetMs,
    endMs: Math.min(word.endMs, durationMs) + offsetMs,
  }));
}
