/** One run of schemathesis with one seed against one gateway, and its findings. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readReport, type Findings } from './read-report.ts';

export type FuzzOptions = {
  /** Path of schemathesis. */
  readonly program: string;
  /** Base address of the gateway. */
  readonly url: string;
  readonly key: string;
  readonly seed: number;
  /** Generated cases per operation, and scenarios of several calls. */
  readonly examples: number;
  /** Phases by their names, with commas; all by default. */
  readonly phases?: string;
};

export type Fuzzed = Findings & {
  readonly seed: number;
  readonly seconds: number;
  readonly exitCode: number | null;
  /** Output of schemathesis, with the requests that reproduce its findings. */
  readonly printed: string;
};

/** Runs it to completion. Findings are not an error: they are in the result. */
export async function runFuzz(options: FuzzOptions): Promise<Fuzzed> {
  const dir = await mkdtemp(join(tmpdir(), 'vds-fuzz-'));
  const report = join(dir, 'report.ndjson');
  const from = performance.now();
  try {
    const child = spawn(options.program, argumentsOf(options, report), {
      cwd: dir,
      env: {
        ...process.env,
        VDS_FUZZ_KEY: options.key,
        VDS_FUZZ_HOOKS: here('hooks.py'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += String(data)));
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const seconds = (performance.now() - from) / 1_000;
    return { ...(await readReport(report)), seed: options.seed, seconds, exitCode, printed };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Arguments of a run; the key is passed in the environment instead. */
function argumentsOf({ url, seed, examples, phases }: FuzzOptions, report: string): string[] {
  return [
    ...['--config-file', here('schemathesis.toml'), 'run', here('../../proto/openapi.yaml')],
    ...['--url', url, '--seed', String(seed), '--max-examples', String(examples), '--request-timeout', '30'],
    ...['--generation-database', 'none', '--warnings', 'off', '--no-color'],
    ...(phases === undefined ? [] : ['--phases', phases]),
    ...['--report', 'ndjson', '--report-ndjson-path', report],
  ];
}

function here(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Whether a run shows a fault of the service, of the contract or of the run itself. */
export function isFaulty({ exitCode, failures, undocumented }: Fuzzed): boolean {
  return exitCode !== 0 || failures.length > 0 || undocumented.length > 0;
}
