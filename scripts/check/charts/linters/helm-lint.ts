/** `helm lint --strict` of every values file. */
import { join } from 'node:path';
import { output } from '../outcome.ts';
import { mapConcurrently, namespace, type Release } from '../release.ts';

/** Helm's complaints, one failure per values file. */
export async function lintFaults(root: string, helm: string, releases: readonly Release[]): Promise<string[]> {
  const found = await mapConcurrently(releases, 2, async ({ chart, values }) => {
    const args = ['lint', '--strict', '--quiet', join('charts', chart), '-f', values, '--namespace', namespace];
    const { code, text } = await output(helm, args, { cwd: root });
    return code === 0 ? [] : [`${values}: ${text}`];
  });
  return found.flat();
}
