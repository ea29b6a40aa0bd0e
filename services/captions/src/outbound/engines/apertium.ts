/**
 * The embedded translation engine: apertium, rules and dictionaries without a network. It conveys the gist; servers
 * translate better.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { AppError } from '@vds/chassis/errors';
import { findProgram } from '@vds/chassis/sandbox/programs';
import { writeFreshFile } from '@vds/chassis/objects/left-file';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { readModes, type Mode } from './apertium-modes.ts';
import { fromUnits, plain, tidy, toUnits } from './apertium-text.ts';
import { runEngineProgram, type EngineProgramOptions } from './engine-program.ts';
import { createGate } from '@vds/chassis/gate';
import { pivotTranslate } from './pivot-translate.ts';
import { createResultCache } from './result-cache.ts';
import type { TranslationEngine } from './translation-engine.ts';

const execute = promisify(execFile);

/** Starts a step on a file: the program reads standard input, which sandboxed children do not have. */
const script = 'exec "$1" -u "$2" < sentences';

export type ApertiumOptions = EngineProgramOptions & {
  /** By default `apertium` on PATH. */
  readonly path?: string | undefined;
  /** Steps at a time. */
  readonly concurrency: number;
  readonly scratchDir: string;
  /** How long a mode without output is skipped; ten minutes by default. */
  readonly skipMs?: number;
};

/** Half of a video's languages begin with the same step. Room for a few hour-long videos in one language. */
const CACHED_CHARACTERS = 500_000;

/** How long a mode without output is skipped. */
const SKIP_MS = 600_000;

/** One lost sentence in a thousand is found in 20 starts; a mode that takes more mixes up everything. */
const MAX_STARTS = 100;

/** Runs one mode over one text. */
type RunMode = (mode: string, text: string, signal: AbortSignal) => Promise<string>;

/** @throws AppError FAILED_PRECONDITION whose message states what to install or set */
export async function openApertium(options: ApertiumOptions): Promise<TranslationEngine> {
  const { path, version } = await findProgram({ name: 'apertium', configured: options.path, versionArgs: ['-V'] });
  const run = openRunner(path, options);
  /**
   * Modes without output, and until when they are skipped; trying each at startup would take longer than a video. Only
   * temporarily: a program of the pipe that was killed for its memory leaves no output, either.
   */
  const skippedUntil = new Map<string, number>();
  let known: readonly Mode[] | undefined;
  const modes = async (): Promise<readonly Mode[]> => {
    const { stdout } = await execute(path, ['-l'], { timeout: 20_000 });
    return (known = readModes(stdout).filter(({ mode }) => Date.now() >= (skippedUntil.get(mode) ?? 0)));
  };
  const cached = createResultCache(CACHED_CHARACTERS);
  options.log.info({ apertium: version }, 'translation engine');

  const modeOf = async (from: string, to: string): Promise<string> => {
    const found = (known ?? (await modes())).find((mode) => mode.from === from && mode.to === to);
    return found?.mode ?? fail(`apertium has no step from ${from} to ${to}`);
  };
  const translateBy = async (mode: string, texts: readonly string[], signal: AbortSignal): Promise<string[]> => {
    const translated = await step(run, mode, texts, signal);
    if (translated.some((text) => text !== '') || !texts.some((text) => /\p{L}/u.test(text)))
      return texts.map((text, index) => tidy(translated[index] ?? '', text) || text);
    skippedUntil.set(mode, Date.now() + (options.skipMs ?? SKIP_MS));
    options.log.warn({ mode }, 'a mode of apertium has no output and is skipped for a while');
    return fail(`apertium has no output on ${mode}`);
  };
  return {
    name: 'apertium',
    pairs: async () => (await modes()).map(({ from, to, weight }) => ({ from, to, weight })),
    translate: (sentences, languages, signal) =>
      pivotTranslate(sentences.map(plain), languages, async (texts, from, to) =>
        cached(`${from}>${to}`, texts, signal, async () => translateBy(await modeOf(from, to), texts, signal)),
      ),
  };
}

function fail(message: string): never {
  throw new AppError('FAILED_PRECONDITION', message, { reason: 'engine_error' });
}

function openRunner(program: string, options: ApertiumOptions): RunMode {
  const gate = createGate(options.concurrency);
  return (mode, text, signal) =>
    gate(signal, () =>
      withScratch(options.scratchDir, 'captions', async (scratch) => {
        await writeFreshFile(join(scratch, 'sentences'), text);
        let output = '';
        await runEngineProgram(`apertium ${mode}`, options, {
          command: '/bin/sh',
          args: ['-c', script, 'sh', program, mode],
          scratch,
          signal,
          onOutput: async (stdout) => void (output = await readText(stdout, mostCharacters(text))),
        });
        return output;
      }),
    );
}

async function readText(stdout: Readable, most: number): Promise<string> {
  let text = '';
  for await (const chunk of stdout.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > most) throw new AppError('INTERNAL', `apertium printed more than ${most} characters`);
  }
  return text;
}

/** A text does not grow like this in translation. */
function mostCharacters(text: string): number {
  return 65_536 + text.length * 10;
}

/**
 * Runs one step over all sentences, in one process. Where their number changes, each half is run by itself, down to one
 * sentence; a sentence without output is empty.
 */
async function step(run: RunMode, mode: string, all: readonly string[], signal: AbortSignal): Promise<string[]> {
  let starts = 0;
  const translate = async (sentences: readonly string[]): Promise<string[]> => {
    starts += 1;
    if (starts > MAX_STARTS) fail(`apertium mixes up sentences on ${mode}`);
    const units = fromUnits(await run(mode, toUnits(sentences), signal));
    if (sentences.length === 1) return [units.filter((unit) => unit !== '').join(' ')];
    const empty = units.filter((unit) => unit === '').length;
    // All are lost: the mode is at fault, and halves would be lost too.
    if (empty === units.length) return sentences.map(() => '');
    if (empty === 0 && units.length === sentences.length) return units;
    const middle = sentences.length >> 1;
    const first = await translate(sentences.slice(0, middle));
    return [...first, ...(await translate(sentences.slice(middle)))];
  };
  return all.length === 0 ? [] : translate(all);
}
