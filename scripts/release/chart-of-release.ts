/** What a release adds to the charts of the repository: its images by their digests, its version, its notes. */
import type { Document } from 'yaml';

/** As `npm run images -- --values` writes them. */
export type Images = {
  readonly repository: string;
  readonly tag: string;
  readonly digests: Readonly<Record<string, string>>;
};

export type Release = {
  readonly image: Images;
  /** Of these the chart runs: all of app, media and migrate unless it says which. */
  readonly runs?: readonly string[];
  /** The source's address. */
  readonly source: string | undefined;
  readonly notes: readonly string[];
};

const NAMES = ['app', 'media', 'migrate'];

/**
 * Changes the chart's values to the images of the release.
 * @throws Error if one of the three has no digest: it would be pulled by a tag, which can move
 */
export function withImages(values: Document, { repository, tag, digests }: Images): void {
  const missing = NAMES.filter((name) => !/^sha256:[0-9a-f]{64}$/.test(digests[name] ?? ''));
  if (missing.length > 0) throw new Error(`no digest of ${missing.join(', ')}: push all three images in one run`);
  values.setIn(['image', 'repository'], repository);
  values.setIn(['image', 'tag'], tag);
  for (const name of NAMES) values.setIn(['image', 'digests', name], values.createNode(digests[name]));
}

/** Changes the values of vds-devdeps to the release's image that provisions the servers. */
export function withMigrate(values: Document, { repository, tag, digests }: Images): void {
  values.setIn(['provision', 'image', 'repository'], `${repository}/migrate`);
  values.setIn(['provision', 'image', 'tag'], `${tag}@${digests['migrate']}`);
}

/**
 * A values file without images, which would replace those of the release by names that are an example or local, and
 * without comments on them.
 */
export function asExample(values: string): string {
  return values.replaceAll(
    /^image: \{.*\}\n|^  repository: .*\n|^provision:\n  image: .*\n|^#.* localhost\/.*\n/gm,
    '',
  );
}

/** Changes Chart.yaml: version, addresses, and the annotations that Artifact Hub reads (artifacthub.io/docs, "Helm annotations"). */
export function withRelease(chart: Document, { image, runs = NAMES, source, notes }: Release): void {
  const { repository, tag, digests } = image;
  chart.set('version', tag);
  chart.set('appVersion', tag);
  if (source !== undefined) {
    chart.set('home', source);
    chart.set('sources', [source]);
  }
  const images = runs.map((name) => `- name: ${name}\n  image: ${repository}/${name}:${tag}@${digests[name]}\n`);
  chart.setIn(['annotations', 'artifacthub.io/images'], images.join(''));
  if (notes.length > 0)
    chart.setIn(['annotations', 'artifacthub.io/changes'], notes.map((note) => `- ${JSON.stringify(note)}\n`).join(''));
  chart.setIn(['annotations', 'artifacthub.io/prerelease'], String(tag.includes('-')));
}

/**
 * The entries of a version in a changelog of the format Keep a Changelog, each as one line.
 * @throws Error if the changelog does not know the version
 */
export function releaseNotes(changelog: string, version: string): string[] {
  const section = changelog
    .split(/^## /m)
    .find((part) => new RegExp(`^\\[?${version.replaceAll('.', '\\.')}\\b`).test(part));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return section
    .split(/^- /m)
    .slice(1)
    .map((entry) => (entry.split('\n\n')[0] ?? '').replaceAll(/\s+/g, ' ').trim());
}
