/**
 * Synthesised speech in any language: by ffmpeg's flite in English, by SVOX Pico in German, Spanish, French and Italian
 * and by MBROLA in Portuguese, Dutch, Polish, Swedish and Turkish if installed, else by espeak-ng, of which a speech
 * engine understands little more than half.
 */
import { rmSync } from 'node:fs';
import { find, run } from '../servers/command.ts';
import { mbrolaVoice, picoPython } from '../programs/voices.ts';
import { cached, ffmpeg } from './render.ts';

const picoVoices: Readonly<Record<string, string>> = { de: 'de-DE', es: 'es-ES', fr: 'fr-FR', it: 'it-IT' };
/** espeak-ng's names of voices, where they differ from the language's code. */
const espeakVoices: Readonly<Record<string, string>> = { zh: 'cmn', no: 'nb', 'pt-BR': 'pt-br' };
/** Words a minute; the default, 175, is too fast for speech engines. */
const ESPEAK_PACE = '140';

/** The program that would speak this language; null if it is not installed. */
export function voiceOf(language: string): 'flite' | 'pico' | 'mbrola' | 'espeak-ng' | null {
  if (language === 'en') return 'flite';
  if (language in picoVoices && picoPython() !== null) return 'pico';
  if (find('espeak-ng') === null) return null;
  return mbrolaVoice(language) === null ? 'espeak-ng' : 'mbrola';
}

/**
 * Path of a WAV file (16 kHz, mono, 16 bit) in which `text` is spoken, without silence at its ends; made on the first
 * call. Null if no voice for the language is installed. espeak-ng reads Japanese only in kana.
 * @param language a code of ISO 639-1, or `pt-BR`
 * @param voice for English a voice of flite: `slt`, `rms`, `kal`, `awb`
 */
export async function speak(language: string, text: string, voice = 'slt'): Promise<string | null> {
  const program = voiceOf(language);
  if (program === null) return null;
  return cached(`speech-${language}`, 'wav', [program, language, text, voice, ESPEAK_PACE, TRIM], async (path) => {
    if (program === 'flite') return await resample(['-f', 'lavfi', '-i', fliteSource(text, voice)], path);
    const raw = `${path}.raw.wav`;
    try {
      await (program === 'pico' ? pico(language, text, raw) : espeak(language, text, raw));
      await resample(['-i', raw], path);
    } finally {
      rmSync(raw, { force: true });
    }
  });
}

/** Trims silence at both ends, so that a sentence starts exactly where it is placed. */
const TRIM =
  'silenceremove=start_periods=1:start_threshold=-45dB,areverse,silenceremove=start_periods=1:start_threshold=-45dB,areverse';

function fliteSource(text: string, voice: string): string {
  return `flite=text='${text.replaceAll(/[^a-zA-Z ]/g, '')}':voice=${voice}`;
}

async function resample(input: readonly string[], path: string): Promise<void> {
  const exact = ['-fflags', '+bitexact', '-flags', '+bitexact'];
  await ffmpeg([...input, '-af', TRIM, '-ar', '16000', '-ac', '1', '-c:a', 'pcm_s16le', ...exact, path]);
}

async function pico(language: string, text: string, path: string): Promise<void> {
  const python = picoPython() ?? 'python3';
  await run(python, ['-I', '-m', 'py_nanotts', '-v', picoVoices[language] ?? '', '-o', path, '--', text]);
}

async function espeak(language: string, text: string, path: string): Promise<void> {
  await run('espeak-ng', [
    '-v',
    mbrolaVoice(language) ?? espeakVoices[language] ?? language.toLowerCase(),
    '-s',
    ESPEAK_PACE,
    '-w',
    path,
    '--',
    text,
  ]);
}
