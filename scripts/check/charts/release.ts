/** Every values file of the repository, each rendered as one release: the input of all checks of the charts. */
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { output } from './outcome.ts';
import { parseResources, type Resource } from './resource.ts';

export type Release = {
  /** Folder of the chart under charts/. */
  readonly chart: string;
  /** The values file, relative to the repository. */
  readonly values: string;
  /** File name of the values without its extension: the name of its golden renders. */
  readonly name: string;
};
export type Rendered = {
  readonly release: Release;
  readonly text: string;
  /** The text as a file, for tools that read files; deleted with the process. */
  readonly file: string;
  readonly resources: readonly Resource[];
};

/** The values files of each chart: those for operators, and those that only the checks render. */
const places = [
  ['vds', 'deploy/values/*.yaml'],
  ['vds', 'charts/vds/ci/*.yaml'],
  ['vds-devdeps', 'deploy/values/devdeps/*.yaml'],
  ['vds-devdeps', 'charts/vds-devdeps/ci/*.yaml'],
] as const;

/** A cluster that has every kind that the charts can render; fixed, so that every machine renders the same. */
const cluster = [
  'monitoring.coreos.com/v1',
  'keda.sh/v1alpha1',
  'gateway.networking.k8s.io/v1',
  'external-secrets.io/v1',
  'cert-manager.io/v1',
].flatMap((version) => ['--api-versions', version]);
/** The newest Kubernetes that the product has run on. */
const kubeVersion = '1.35.0';

export const releaseNames: Readonly<Record<string, string>> = { vds: 'vds', 'vds-devdeps': 'deps' };
export const namespace = 'video';

/** Every release of the repository, rendered and parsed. */
export async function renderAll(root: string, helm: string): Promise<Rendered[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-releases-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return await mapConcurrently(releasesOf(root), 2, async (release) => {
    const text = await renderText(root, helm, release);
    const file = join(folder, `${release.chart}-${release.name}.yaml`);
    writeFileSync(file, text);
    return { release, text, file, resources: parseResources(text) };
  });
}

/** Runs `work` for every item, at most `limit` at a time; results in the order of the items. */
export async function mapConcurrently<In, Out>(
  items: readonly In[],
  limit: number,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const waiting = [...items.entries()];
  const results = new Map<number, Out>();
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.set(next[0], await work(next[1]));
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return items.flatMap((_item, index) => (results.has(index) ? [results.get(index) as Out] : []));
}

export function releasesOf(root: string): Release[] {
  return places.flatMap(([chart, pattern]) =>
    globSync(pattern, { cwd: root })
      .toSorted()
      .map((values) => ({ chart, values, name: basename(values, '.yaml') })),
  );
}

/** Helm's output for this release; throws helm's error. */
export async function renderText(root: string, helm: string, release: Release): Promise<string> {
  const { code, stdout, text } = await output(helm, [...templateArguments(release.chart), '-f', release.values], {
    cwd: root,
  });
  if (code !== 0) throw new Error(`${release.values} does not render: ${text}`);
  return stdout;
}

/** Arguments of `helm template` for a chart, such that its output depends only on the values. */
export function templateArguments(chart: string, release = releaseNames[chart] ?? chart): string[] {
  return [
    'template',
    release,
    join('charts', chart),
    ...['--namespace', namespace, '--kube-version', kubeVersion],
    ...cluster,
  ];
}
