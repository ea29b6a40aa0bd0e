/**
 * A speech server that implements OpenAI's `POST /v1/audio/transcriptions`, and perhaps `/v1/audio/translations`: Whisper
 * and similar models, hosted or self-hosted.
 */
import { openAsBlob } from 'node:fs';
import { FormData } from 'undici';
import { openHttpEngine, type HttpEngineOptions } from '@vds/chassis/http/http-engine';
import type { Word } from '../../domain/words.ts';
import { readTranscription } from './openai-response.ts';
import type { SpeechEngine, TranscriptionInput } from './speech-engine.ts';
import { whisperLanguages } from './whisper-languages.ts';

const MAX_BYTES = 32 * 2 ** 20;

export type OpenaiOptions = Omit<HttpEngineOptions, 'name'> & {
  readonly model: string;
  /** ISO 639-1; empty: Whisper's. */
  readonly languages: readonly string[];
  /** Whether it has `/v1/audio/translations`, into English. */
  readonly translates?: boolean;
};

/** `url` may end with `/v1` or not, as both are called a base address. */
export function openOpenai(options: OpenaiOptions): SpeechEngine {
  const { model, url, translates } = options;
  const call = openHttpEngine({ ...options, name: 'the speech server' });
  const version = /\/v1\/*$/.test(url) ? '' : 'v1/';
  /** @param language of the words; undefined for English ones, which servers say are English or what is spoken */
  const request = async (
    endpoint: 'transcriptions' | 'translations',
    language: string | undefined,
    { wavPath, durationMs, offsetMs, names = [] }: TranscriptionInput,
    signal: AbortSignal,
  ): Promise<Word[]> => {
    const words = await call({
      method: 'POST',
      path: `${version}audio/${endpoint}`,
      body: () => formOf(wavPath, model, language, names),
      mostBytes: MAX_BYTES,
      read: (response) => readTranscription(response, language, durationMs),
      signal,
    });
    return words.map((word) => ({ ...word, startMs: word.startMs + offsetMs, endMs: word.endMs + offsetMs }));
  };
  return {
    name: 'openai',
    languages: () => Promise.resolve(options.languages.length > 0 ? options.languages : whisperLanguages),
    transcribe: async (input, signal, onProgress) => {
      const words = await request('transcriptions', input.language, input, signal);
      onProgress(1);
      return words;
    },
    ...(translates && {
      toEnglish: async (input, signal, onProgress) => {
        const words = await request('translations', undefined, input, signal);
        onProgress(1);
        return words;
      },
    }),
  };
}

async function formOf(
  wavPath: string,
  model: string,
  language: string | undefined,
  names: readonly string[],
): Promise<FormData> {
  const form = new FormData();
  form.set('file', await openAsBlob(wavPath, { type: 'audio/wav' }), 'speech.wav');
  form.set('model', model);
  form.set('response_format', 'verbose_json');
  // The most likely ones last: of a longer prompt servers read the last 224 tokens.
  if (names.length > 0) form.set('prompt', names.toReversed().join(', '));
  // Parameters of transcriptions only.
  if (language === undefined) return form;
  form.set('language', language);
  form.append('timestamp_granularities[]', 'word');
  form.append('timestamp_granularities[]', 'segment');
  return form;
}
