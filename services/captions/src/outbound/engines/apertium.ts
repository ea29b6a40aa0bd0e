/**
 * The embedded translation engine: apertium, rules and dictionaries without a network. It conveys the gist; servers
 * translate better.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runChild, type Sandbox } from '@vds/chassis/sandbox/sandbox';
import { AppError } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { findProgram } from '@vds/chassis/sandbox/programs';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { readModes, type Mode } from './apertium-modes.ts';
import { fromUnits, plain, tidy, toUnits } from './apertium-text.ts';
import { createGate } from './gate.ts';
import { createMemory } from './memory.ts';
import { pivotTranslate } from './pivot-translate.ts';
import type { TranslationEngine } from './translation-engine.ts';

const execute = promisify(execFile);

/** Starts a step on a file: the program reads standard input, which sandboxed children do not have. */
const script = 'exec "$1" -u "$2" < sentences';

export type ApertiumOptions = {
  /** APERTIUM_PATH; empty: `apertium` on PATH. */
  readonly path: string | undefined;
  readonly sandbox: Sandbox;
  readonly memoryBytes: number;
  /** For one step of a whole document. */
  readonly timeoutMs: number;
  /** Steps at a time. */
  readonly concurrency: number;
  readonly scratchDir: string;
  readonly niceness?: number;
  /** How long a mode without output is skipped; ten minutes unless given. */
  readonly muteMs?: number;
  readonly log: Logger;
};

/** Half of a video's languages begin with the same step. Room for a few hour-long videos in one language. */
const REMEMBERED_CHARACTERS = 500_000;

/** How long a mode without output is skipped. */
const MUTE_MS = 600_000;
type Runner = ReturnType<typeof openRunner>;

/** One lost sentence in a thousand is found in 20 starts; a mode that takes more mixes up everything. */
const MOST_STARTS = 100;

/** @throws AppError FAILED_PRECONDITION whose message states what to install or set */
export async function openApertium(options: ApertiumOptions): Promise<TranslationEngine> {
  const { path, version } = await findProgram({
    name: 'apertium',
    variable: 'APERTIUM_PATH',
    configured: options.path,
    versionArgs: ['-V'],
  });
  const run = openRunner(path, options);
  /**
   * Modes without output, and until when they are skipped; trying each at startup would take longer than a video. Only
   * temporarily: a program of the pipe that was killed for its memory leaves no output, either.
   */
  const mute = new Map<string, number>();
  const isMute = (mode: string): boolean => Date.now() < (mute.get(mode) ?? 0);
  const modes = async (): Promise<Mode[]> => {
    const { stdout } = await execute(path, ['-l'], { timeout: 20_000 });
    return readModes(stdout).filter(({ mode }) => !isMute(mode));
  };
  let known: readonly Mode[] | undefined;
  const remember = createMemory(REMEMBERED_CHARACTERS);
  options.log.info({ apertium: version }, 'translation engine');

  const modeOf = async (from: string, to: string): Promise<string> => {
    known ??= await modes();
    const found = known.find((mode) => mode.from === from && mode.to === to);
    if (found) return found.mode;
    throw new AppError('FAILED_PRECONDITION', `apertium has no step from ${from} to ${to}`, { reason: 'engine_error' });
  };
  const translateBy = async (mode: string, texts: readonly string[], signal: AbortSignal): Promise<string[]> => {
    const translated = await step(run, mode, texts, signal);
    if (translated.some((text) => text !== '') || !texts.some((text) => /\p{L}/u.test(text)))
      return texts.map((text, index) => tidy(translated[index] ?? '', text) || text);
    mute.set(mode, Date.now() + (options.muteMs ?? MUTE_MS));
    options.log.warn({ mode }, 'a mode of apertium answers nothing and is left out for a while');
    throw new AppError('FAILED_PRECONDITION', `apertium answers nothing on ${mode}`, { reason: 'engine_error' });
  };
  return {
    name: 'apertium',
    pairs: async () => (known = await modes()).map(({ from, to, weight }) => ({ from, to, weight })),
    translate: (sentences, languages, signal) =>
      pivotTranslate(sentences.map(plain), languages, async (texts, from, to) =>
        remember(`${from}>${to}`, texts, signal, async () => translateBy(await modeOf(from, to), texts, signal)),
      ),
  };
}

/** Runs one mode over one text. */
function openRunner(program: string, options: ApertiumOptions) {
  const { sandbox, memoryBytes, timeoutMs, scratchDir, niceness, log } = options;
  const gate = createGate(options.concurrency);
  return (mode: string, text: string, signal: AbortSignal): Promise<string> =>
    gate(signal, () =>
      withScratch(scratchDir, 'captions', async (scratch) => {
        await writeFile(join(scratch, 'sentences'), text);
        let answer = '';
        const { code, stderrTail } = await runChild({
          command: '/bin/sh',
          args: ['-c', script, 'sh', program, mode],
          ...{ scratch, sandbox, memoryBytes, timeoutMs, signal },
          ...(niceness === undefined ? {} : { niceness }),
          onOutput: readText(mostCharacters(text), (all) => void (answer = all)),
        });
        if (code === 0) return answer;
        log.warn({ mode, code, tail: stderrTail }, 'apertium failed');
        throw new AppError('INTERNAL', `apertium ended with ${code} on ${mode}`);
      }),
    );
}

function readText(most: number, keep: (text: string) => void) {
  return async (stdout: Readable): Promise<void> => {
    let text = '';
    for await (const chunk of stdout.setEncoding('utf8')) {
      text += String(chunk);
      if (text.length > most) throw new AppError('INTERNAL', `apertium printed more than ${most} characters`);
    }
    keep(text);
  };
}

/** A text does not grow like this in translation. */
function mostCharacters(text: string): number {
  return 65_536 + text.length * 10;
}

/**
 * Runs one step over all sentences, in one process. Where their number changes, each half is run by itself, down to one
 * sentence; a sentence without output is empty.
 */
function step(run: Runner, mode: string, all: readonly string[], signal: AbortSignal): Promise<string[]> {
  let starts = 0;
  const translate = async (sentences: readonly string[]): Promise<string[]> => {
    starts += 1;
    if (starts > MOST_STARTS)
      throw new AppError('FAILED_PRECONDITION', `apertium mixes up sentences on ${mode}`, { reason: 'engine_error' });
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
  return all.length === 0 ? Promise.resolve([]) : translate(all);
}
