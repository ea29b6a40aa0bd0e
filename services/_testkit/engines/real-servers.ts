/**
 * Servers that are not made for tests, on 127.0.0.1: Whisper behind OpenAI's contract, and LibreTranslate's own server,
 * whose models alone are replaced.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { answers } from '../servers/detached.ts';
import { until } from '../until.ts';

export type RealServer = { readonly url: string; readonly close: () => Promise<void> };

/** The name of the model in requests to the speech server. */
export const SPEECH_MODEL = 'whisper-base';

export type SpeechServerOptions = {
  /** A Python that has faster-whisper. */
  readonly python: string;
  /** Folder of the model. */
  readonly model: string;
  /** Which requests need; by default none. */
  readonly key?: string;
};

/** Whisper behind `/v1/audio/transcriptions` and `/v1/audio/translations`; resolves once the model is loaded. */
export async function startSpeechServer({ python, model, key = '' }: SpeechServerOptions): Promise<RealServer> {
  return await start(python, 'whisper-server.py', [model, SPEECH_MODEL, key], '/v1/models');
}

export type TranslationServerOptions = {
  /** A Python that has LibreTranslate: `libretranslatePython`. */
  readonly python: string;
  readonly languages: readonly string[];
  /** Which requests need; by default none. */
  readonly key?: string;
  /** Further arguments of LibreTranslate, such as `--req-limit 10`. */
  readonly args?: readonly string[];
};

/** LibreTranslate; a text's translation is `[language] text`. */
export async function startTranslationServer(options: TranslationServerOptions): Promise<RealServer> {
  const { python, languages, key = '', args = [] } = options;
  const folder = await mkdtemp(join(tmpdir(), 'vds-libretranslate-'));
  const keys = join(folder, 'keys.db');
  const withKeys = ['--api-keys', '--api-keys-db-path', keys, '--under-attack'];
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const server = await start(
      python,
      'libretranslate-server.py',
      [keys, key, languages.join(','), ...(key === '' ? [] : withKeys), ...args],
      '/languages',
      folder,
    );
    return { url: server.url, close: () => server.close().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Runs a script that prints its port, until it replies; it ends when its standard input does. */
async function start(
  python: string,
  script: string,
  args: readonly string[],
  ready: string,
  cwd = tmpdir(),
): Promise<RealServer> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(python, [path, ...args], { cwd, stdio: 'pipe' });
  const ended = once(child, 'close');
  const printed = text(child.stderr);
  const close = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: port } = (await lines.next()) as { value: string | undefined };
  if (port === undefined) throw new Error(`${script} ended: ${await printed}`);
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(() => answers(url + ready), { capMs: 60_000, everyMs: 100, what: `${script} replies` });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}
