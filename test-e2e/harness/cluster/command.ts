/** kubectl, helm and kind, against the cluster that KUBECONFIG names. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Root of the repository, the working directory of every command. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A program's output, or its error: for reports, which must not fail themselves. */
export function attempt(name: string, args: readonly string[]): Promise<string> {
  return command(name, args).catch((error: Error) => error.message);
}

/**
 * Runs a program to completion and returns its output.
 * @param input its stdin: a manifest, never a secret as an argument
 * @throws with its stderr when it fails
 */
export function command(name: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
    const [out, trouble]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => trouble.push(chunk));
    child.stdin.on('error', () => undefined); // it exited before it had read everything; its exit code explains why
    child.stdin.end(input);
    child.once('error', (error) => reject(new Error(`${name} did not run: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString());
      else reject(new Error(`${name} ${args.join(' ')}: ${Buffer.concat(trouble).toString().trim().slice(-3_000)}`));
    });
  });
}
