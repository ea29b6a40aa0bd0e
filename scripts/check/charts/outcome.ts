/** The outcome of one check, and running a program for it. */
import { execFile } from 'node:child_process';
import { messageOf } from '@vds/chassis/errors';

export type Outcome = {
  readonly state: 'ok' | 'failed' | 'skipped';
  /** The findings, or why the check was skipped; shown below or next to the line of the check. */
  readonly detail: string;
};
export type Check = { readonly name: string; readonly run: () => Promise<Outcome> };

export type Output = { readonly code: number; readonly stdout: string; readonly text: string };

/** Failed with these violations, one per line, or ok. */
export function outcomeOf(faults: readonly string[], note = ''): Outcome {
  return faults.length > 0 ? { state: 'failed', detail: faults.join('\n') } : { state: 'ok', detail: note };
}

/** A check that is one program: exit code 0 is ok, everything else shows the program's output. */
export function program(name: string, root: string, command: string, args: readonly string[]): Check {
  return {
    name,
    run: async () => {
      const { code, text } = await output(command, args, { cwd: root });
      return code === 0 ? { state: 'ok', detail: '' } : { state: 'failed', detail: text };
    },
  };
}

/** Runs a program to completion; `text` is stdout and stderr together. A program that cannot be started throws. */
export function output(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Output> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(new Error(`${command} did not run: ${messageOf(error)}`));
      else resolve({ code: error ? Number(error.code) : 0, stdout, text: `${stdout}${stderr}`.trim() });
    });
  });
}
