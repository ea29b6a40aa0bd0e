/** The programs that services run on the files of videos, and what they need: ffmpeg, a sandbox, scratch folders. */
import { tmpdir } from 'node:os';
import ffmpegStatic from 'ffmpeg-static';
import { integer, optional, text, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import type { Scope } from '../process/run.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { findProgram, type Program, type SandboxOptions } from './programs.ts';
import { chooseSandbox, sandboxConfig } from './choose-sandbox.ts';
import { sweepScratch } from './scratch.ts';

const GIBIBYTE = 2 ** 30;

/** Configuration of services that run programs. */
export const toolConfig = {
  /** Empty: ffmpeg-static's program if it exists and runs, else `ffmpeg` on PATH. */
  ffmpegPath: ['FFMPEG_PATH', optional(text)],
  /** Parent of the scratch folders. */
  scratchDir: ['SCRATCH_DIR', withDefault(text, tmpdir())],
  /** The most that one program may take, in bytes. */
  childMemoryBytes: ['CHILD_MEMORY', withDefault(integer(GIBIBYTE / 4), 4 * GIBIBYTE)],
  /** What all programs may take together, in bytes; empty: whatever the machine has. */
  programsMemoryBytes: ['PROGRAMS_MEMORY', optional(integer(GIBIBYTE / 4))],
  ...sandboxConfig,
} as const satisfies ConfigSpec;

type ToolScope = Pick<Scope<Record<never, never>>, 'log' | 'metrics'> & {
  readonly config: Omit<ConfigOf<typeof toolConfig>, 'ffmpegPath'>;
};

/** Chooses the sandbox, and removes the scratch folders of processes of `service` that have ended. */
export async function openSandbox({ config, log, metrics }: ToolScope, service: string): Promise<SandboxOptions> {
  const sandbox = await chooseSandbox({ ...config, log, metrics });
  await sweepScratch(config.scratchDir, service);
  const memory = createMemoryBudget(config.programsMemoryBytes);
  return { sandbox, memoryBytes: config.childMemoryBytes, memory, log };
}

/** @throws AppError FAILED_PRECONDITION with instructions what to set or install */
export function findFfmpeg(configured: string | undefined): Promise<Program> {
  // Its types describe an ES module; what is imported is the path.
  const candidates = [ffmpegStatic as unknown as string | null];
  return findProgram({ name: 'ffmpeg', variable: 'FFMPEG_PATH', configured, candidates });
}
