/** Runs the program of an embedded engine in a sandbox. */
import { runProgram, type ProgramCall, type ProgramRun, type SandboxOptions } from '@vds/chassis/sandbox/programs';

export type EngineProgramOptions = SandboxOptions & {
  /** For one call. */
  readonly timeoutMs: number;
  /** 0 to 19, as of nice(1). */
  readonly niceness: number;
};

type Call = Omit<ProgramCall, 'name'> & Pick<ProgramRun, 'scratch' | 'readable' | 'signal' | 'input' | 'onOutput'>;

/**
 * @param name of the engine, for logs and errors
 * @throws AppError as `runProgram`
 */
export async function runEngineProgram(name: string, options: EngineProgramOptions, call: Call): Promise<void> {
  const { command, args, ...run } = call;
  const { timeoutMs, niceness } = options;
  await runProgram(options, { name, command, args }, { ...run, timeoutMs, niceness });
}
