/**
 * A program that opens partners' files finds no secret, no network and no other file (design, pipeline): at startup the
 * launcher is tried with what must be refused, as a program that was taken over would try it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { choice, optional, text, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { AppError, messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { findProgram } from './programs.ts';
import { limitsOnly, runChild, type Sandbox } from './sandbox.ts';

export const sandboxConfig = {
  /** `required`: the process does not start where programs cannot be confined. */
  sandbox: ['SANDBOX', withDefault(choice('best', 'required'), 'best' as const)],
  /** Empty: `vds-confine` on PATH. */
  confinePath: ['CONFINE_PATH', optional(text)],
} as const satisfies ConfigSpec;

type Options = Partial<ConfigOf<typeof sandboxConfig>> & { readonly log?: Logger; readonly metrics?: Metrics };

/**
 * The strongest sandbox that this machine supports, and its level as a metric of the service.
 * @throws AppError FAILED_PRECONDITION where it is required and programs cannot be confined
 */
export async function chooseSandbox({ sandbox = 'best', confinePath, log, metrics }: Options = {}): Promise<Sandbox> {
  const tried = await tryConfinement(confinePath);
  metrics
    ?.gauge('vds_sandbox_level', 'How child programs are sandboxed: 2 by Landlock and seccomp, 1 limits only', [])
    .set(tried.fault === undefined ? 2 : 1);
  if (tried.fault === undefined) return { level: 'confined', confine: tried.confine };
  if (sandbox === 'required')
    throw new AppError('FAILED_PRECONDITION', `SANDBOX is required, but programs cannot be confined: ${tried.fault}`);
  log?.warn({ reason: tried.fault }, 'programs are not confined');
  return limitsOnly;
}

async function tryConfinement(
  configured: string | undefined,
): Promise<{ readonly confine: string; readonly fault?: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-sandbox-'));
  try {
    const request = { name: 'vds-confine', variable: 'CONFINE_PATH', configured, versionArgs: ['--version'] };
    const { path: confine } = await findProgram(request);
    const [scratch, foreign] = [await mkdtemp(join(folder, 'scratch-')), await mkdtemp(join(folder, 'foreign-'))];
    const secret = join(foreign, 'secret');
    await writeFile(secret, 'secret', { mode: 0o600 });
    const { code, stdout, stderrTail } = await runChild({
      command: confine,
      args: ['--probe', String(process.pid), secret, foreign],
      sandbox: { level: 'confined', confine },
      ...{ scratch, timeoutMs: 10_000, signal: AbortSignal.timeout(20_000) },
    });
    const succeeded = stdout
      .trim()
      .split('\n')
      .filter((one) => one !== '');
    if (code !== 0) return { confine, fault: stderrTail.trim() || `the probe ended with ${code}` };
    return succeeded.length === 0 ? { confine } : { confine, fault: `not refused: ${succeeded.join(', ')}` };
  } catch (error) {
    return { confine: '', fault: messageOf(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
