/** Phases of getting a release to run: each is left out when it was done before with the same inputs, and timed. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.ts';

/**
 * What the runs against a cluster keep: state of the phases, secrets, certificates, and what was left by a failure; of
 * another namespace than the usual one by itself.
 */
export const keptDir = join(root, '.vds', ['cluster', process.env['VDS_NAMESPACE'] ?? []].flat().join('-'));
const file = join(keptDir, 'phases.json');

type Done = Readonly<Record<string, { readonly inputs: string; readonly seconds: number; readonly at: string }>>;

/** A short form of what a phase depends on. */
export function inputsOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/**
 * Does the work unless it was done with these inputs and still stands; `VDS_RESUME=0` does everything again.
 * @param stands whether what the phase made is there
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
