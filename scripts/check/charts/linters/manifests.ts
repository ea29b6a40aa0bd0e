/** Manifests as files, for tools that read files: each resource once, however many releases render it. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Rendered } from '../release.ts';
import { titleOf, type Resource } from '../resource.ts';

export type Manifest = {
  /** Name of the file; tools refer to it in their findings. */
  readonly file: string;
  readonly resource: Resource;
  /** The values files that render it like this. */
  readonly values: readonly string[];
};

/** Merges equal resources of several releases into one manifest. */
export function distinct(renders: readonly Rendered[]): Manifest[] {
  const all = renders.flatMap(({ release, resources }) =>
    resources.map((resource) => ({ resource, values: release.values, text: JSON.stringify(resource) })),
  );
  return Object.entries(Object.groupBy(all, ({ text }) => text)).flatMap(([text, same = []]) => {
    const [first] = same;
    if (!first) return [];
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
    const file = `${titleOf(first.resource).replaceAll(/[^A-Za-z0-9-]+/g, '-')}.${digest}.yaml`;
    return [{ file, resource: first.resource, values: same.map(({ values }) => values) }];
  });
}

/** Runs `work` with a folder that contains these manifests, one file each, in YAML 1.1: Go reads a bare `on` as a boolean. */
export async function withFiles<Out>(
  manifests: readonly Manifest[],
  work: (folder: string) => Promise<Out>,
): Promise<Out> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-manifests-'));
  try {
    for (const { file, resource } of manifests)
      writeFileSync(join(folder, file), stringify(resource, { version: '1.1' }));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
