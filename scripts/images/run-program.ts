/** Runs programs that build images, visibly or for their output. */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

type Options = { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv };

/** Whether the program exists and succeeds with these arguments. */
export function works(program: string, ...words: string[]): Promise<boolean> {
  return capture(program, words).then(
    () => true,
    () => false,
  );
}

/** The program's output; throws when it fails or does not exist. */
export async function capture(program: string, words: readonly string[], options: Options = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, { ...options, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Runs it with its output on stderr, so that stdout has only results. */
export function show(program: string, words: readonly string[], options: Options = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { ...options, stdio: ['ignore', process.stderr, process.stderr] });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ${words[0] ?? ''} ended with ${String(code)}`)),
    );
  });
}
