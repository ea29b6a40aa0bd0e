/** Running a program to completion, and finding one. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export type RunOptions = { cwd?: string; env?: NodeJS.ProcessEnv; user?: { uid: number; gid: number } | undefined };

/** Full path of a program on PATH, in the tools folder or in one of `more`; null if there is none. */
export function find(name: string, more: string[] = []): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(toolsDir(), 'bin'), ...more];
  return folders.map((folder) => join(folder || '.', name)).find(executable) ?? null;
}

/** Folder of the programs that this project builds: `VDS_TOOLS`, by default `~/.cache/vds-tools`. */
export function toolsDir(): string {
  return process.env['VDS_TOOLS'] ?? join(homedir(), '.cache', 'vds-tools');
}

/** Whether this user can execute the file. */
export function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // not executable
  }
}

/** Whether this process is root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Runs a program to completion and returns its stdout; throws with the end of its output when it fails. */
export async function run(command: string, args: string[], { cwd, env, user }: RunOptions = {}): Promise<string> {
  return await new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...user, cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let all = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data;
      all = (all + data).slice(-4000);
    });
    child.stderr.on('data', (data: Buffer) => (all = (all + data).slice(-4000)));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${command} ${args[0] ?? ''} ended with ${signal ?? code}: ${all.trim().slice(-2000)}`));
    });
  });
}
