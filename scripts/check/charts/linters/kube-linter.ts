/**
 * kube-linter over every release, if it is on PATH: no package registry has it, so it is not built here. Untested: its
 * exceptions come from its documentation, not from its findings.
 */
import { output } from '../outcome.ts';
import { mapConcurrently, type Rendered } from '../release.ts';

/** Checks of kube-linter that do not suit this product, each with its reason. */
export const excluded: Readonly<Record<string, string>> = {
  'no-anti-affinity': 'topology spread constraints do the same and still let a small cluster schedule',
  'unset-cpu-requirements': 'requests are set; a limit of CPU throttles an encoder while the node idles',
  'minimum-three-replicas': 'two replicas and a disruption budget are the default; operators set more',
};

/** The findings of kube-linter in every release that it rejects. */
export async function checkLinter(root: string, tool: string, renders: readonly Rendered[]): Promise<string[]> {
  const exclude = Object.keys(excluded).flatMap((name) => ['--exclude', name]);
  const found = await mapConcurrently(renders, 2, async ({ release, file }) => {
    const { code, text } = await output(tool, ['lint', ...exclude, file], { cwd: root });
    return code === 0 ? [] : [`${release.values}: ${text}`];
  });
  return found.flat();
}
