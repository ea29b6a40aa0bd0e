/** Runs the program of an embedded engine in a sandbox. */
import { runChild, type ChildOptions, type Sandbox } from '@vds/chassis/sandbox/sandbox';
import { AppError } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';

export type EngineProgramOptions = {
  readonly sandbox: Sandbox;
  readonly memoryBytes: number;
  /** For one call. */
  readonly timeoutMs: number;
  /** 0 to 19, as of nice(1). */
  readonly niceness: number;
  readonly log: Logger;
};

type Call = Pick<ChildOptions, 'command' | 'args' | 'scratch' | 'readable' | 'signal' | 'onOutput'>;

/**
 * @param name of the engine, for logs and errors
 * @throws AppError INTERNAL where the program fails; else as `runChild`
 */
export async function runEngineProgram(
  name: string,
  { sandbox, memoryBytes, timeoutMs, niceness, log }: EngineProgramOptions,
  call: Call,
): Promise<void> {
  const { code, stderrTail } = await runChild({ ...call, sandbox, memoryBytes, timeoutMs, niceness });
  if (code === 0) return;
  log.warn({ code, tail: stderrTail }, `${name} failed`);
  throw new AppError('INTERNAL', `${name} ended with ${code}`);
}
