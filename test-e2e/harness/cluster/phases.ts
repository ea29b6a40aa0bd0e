/** Phases of an installation: timed, and skipped if they already ran with the same inputs. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.ts';

/**
 * The folder of runs against a cluster: state of the phases, secrets, certificates, and diagnostics of failures; a
 * separate one for each non-default namespace.
 */
export const keptDir = join(root, '.vds', ['cluster', process.env['VDS_NAMESPACE'] ?? []].flat().join('-'));
const file = join(keptDir, 'phases.json');

type Done = Readonly<Record<string, { readonly inputs: string; readonly seconds: number; readonly at: string }>>;

/** A digest of a phase's inputs. */
export function inputsOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/**
 * Does the work unless it was done with these inputs and its result still exists; `VDS_RESUME=0` repeats everything.
 * @param stands whether the phase's result exists
 */
export async function phase(
  name: string,
  inputs: string,
  stands: () => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  const before = read()[name];
  if (process.env['VDS_RESUME'] !== '0' && before?.inputs === inputs && (await stands())) {
    console.log(`      ${name}: done before (${before.at}, ${before.seconds.toFixed(0)} s)`);
    return;
  }
  const from = performance.now();
  await work();
  const seconds = (performance.now() - from) / 1_000;
  mkdirSync(keptDir, { recursive: true, mode: 0o700 });
  const done: Done = { ...read(), [name]: { inputs, seconds, at: new Date().toISOString() } };
  writeFileSync(file, `${JSON.stringify(done, null, 2)}\n`);
  console.log(`      ${name}: ${seconds.toFixed(0)} s`);
}

function read(): Done {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Done) : {};
}
