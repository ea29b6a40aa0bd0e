/**
 * A speech server that implements OpenAI's `POST /v1/audio/transcriptions`: Whisper and similar models, hosted or
 * self-hosted.
 */
import { openAsBlob } from 'node:fs';
import { FormData } from 'undici';
import { openHttpEngine, type HttpEngineOptions } from './http-engine.ts';
import { readTranscription } from './openai-response.ts';
import type { SpeechEngine } from './speech-engine.ts';
import { whisperLanguages } from './whisper-languages.ts';

const MOST_BYTES = 32 * 2 ** 20;

export type OpenaiOptions = Omit<HttpEngineOptions, 'name'> & {
  readonly model: string;
  /** ISO 639-1; empty: Whisper's. */
  readonly languages: readonly string[];
};

/** `url` may end with `/v1` or not, as both are called a base address. */
export function openOpenai(options: OpenaiOptions): SpeechEngine {
  const { model, url } = options;
  const call = openHttpEngine({ ...options, name: 'the speech server' });
  const version = /\/v1\/*$/.test(url) ? '' : 'v1/';
  return {
    name: 'openai',
    languages: () => Promise.resolve(options.languages.length > 0 ? options.languages : whisperLanguages),
    transcribe: async ({ wavPath, language, durationMs, offsetMs }, signal, onProgress) => {
      const words = await call({
        method: 'POST',
        path: `${version}audio/transcriptions`,
        body: () => formOf(wavPath, model, language),
        mostBytes: MOST_BYTES,
        read: (response) => readTranscription(response, language, durationMs),
        signal,
      });
      onProgress(1);
      return words.map((word) => ({ ...word, startMs: word.startMs + offsetMs, endMs: word.endMs + offsetMs }));
    },
  };
}

async function formOf(wavPath: string, model: string, language: string): Promise<FormData> {
  const form = new FormData();
  form.set('file', await openAsBlob(wavPath, { type: 'audio/wav' }), 'speech.wav');
  form.set('model', model);
  form.set('language', language);
  form.set('response_format', 'verbose_json');
  form.append('timestamp_granularities[]', 'word');
  form.append('timestamp_granularities[]', 'segment');
  return form;
}
