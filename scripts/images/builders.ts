/** Programs that build images, each behind the same interface of four functions. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, show, works } from './run-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Recipe = {
  readonly context: string;
  readonly epoch: number;
  readonly arguments: Readonly<Record<string, string>>;
  /** Files mounted during the build: id → path. The image contains none of them. */
  readonly secretFiles: Readonly<Record<string, string>>;
  /** Annotations of the OCI image specification, which registries show. */
  readonly annotations: Readonly<Record<string, string>>;
};
export type Description = { readonly bytes: number; readonly digest: string };
export type Builder = {
  readonly name: string;
  /** Builds one target and stores it in the builder's own store under this name. */
  readonly build: (target: string, image: string, recipe: Recipe) => Promise<void>;
  /** Writes an archive for `docker load`, `ctr images import` and `kind load image-archive`. */
  readonly save: (image: string, file: string) => Promise<void>;
  /**
   * Builds one target for several platforms (`linux/arm64`) and pushes it.
   * @returns the digest of what the name stands for in the registry, by which it can be pulled
   */
  readonly publish: (target: string, image: string, recipe: Recipe, platforms: readonly string[]) => Promise<string>;
  /** The size of its files, unpacked, and the digest of its configuration, by which nothing can be pulled: equal content has an equal one. */
  readonly describe: (image: string) => Promise<Description>;
};

/** The platform of this machine, as images name it. */
export const ownPlatform = `linux/${arch() === 'x64' ? 'amd64' : arch()}`;

const vfs = ['--storage-driver', 'vfs'];
const known: readonly (readonly [builder: Builder, usable: () => Promise<boolean>])[] = [
  [docker(), async () => (await works('docker', 'info')) && (await works('docker', 'buildx', 'version'))],
  [buildah([]), () => buildahWorks([])],
  [buildah(vfs), () => buildahWorks(vfs)],
];

/** The first builder that works here, or one sentence that names what is required. */
export async function findBuilder(): Promise<Builder> {
  for (const [builder, usable] of known) if (await usable()) return builder;
  throw new Error(
    'nothing here can build images: start Docker with buildx (its daemon must answer `docker info`), or install buildah (Debian: apt-get install buildah)',
  );
}

function options({ arguments: buildArguments, secretFiles }: Recipe): string[] {
  return [
    ...Object.entries(buildArguments).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    ...Object.entries(secretFiles).flatMap(([id, file]) => ['--secret', `id=${id},src=${file}`]),
  ];
}

function dockerfile(context: string): string {
  return join(context, 'deploy', 'Dockerfile');
}

/** The value of an option that is given once for each annotation. */
function annotations({ annotations: all }: Recipe, prefix = ''): string[] {
  return Object.entries(all).flatMap(([name, value]) => ['--annotation', `${prefix}${name}=${value}`]);
}

function docker(): Builder {
  const build = (target: string, recipe: Recipe, output: string, ...words: string[]): Promise<void> =>
    show('docker', [
      ...['buildx', 'build', ...options(recipe), '--file', dockerfile(recipe.context), '--target', target, ...words],
      // Times inside of layers are SOURCE_DATE_EPOCH.
      ...['--output', `${output},rewrite-timestamp=true`, recipe.context],
    ]);
  return {
    name: 'docker buildx',
    build: (target, image, recipe) => build(target, recipe, `type=docker,name=${image}`, '--provenance=false'),
    save: (image, file) => show('docker', ['save', '--output', file, image]),
    publish: async (target, image, recipe, platforms) => {
      const metadata = join(temporaryFolder('vds-build-'), 'metadata.json');
      await build(
        target,
        recipe,
        `type=image,name=${image},push=true,oci-mediatypes=true`,
        ...['--platform', platforms.join(','), '--provenance=mode=max', '--metadata-file', metadata],
        ...annotations(recipe, 'index,manifest:'),
      );
      const { 'containerimage.digest': digest } = JSON.parse(readFileSync(metadata, 'utf8')) as Record<string, unknown>;
      return digestIn(String(digest));
    },
    describe: async (image) => {
      const inspected = await capture('docker', ['image', 'inspect', '--format', '{{.Size}} {{.Id}}', image]);
      const [bytes = '0', digest = ''] = inspected.trim().split(' ');
      return { bytes: Number(bytes), digest };
    },
  };
}

/** @param storage options that choose where buildah keeps images */
function buildah(storage: readonly string[]): Builder {
  const run = (...words: string[]): Promise<void> => show('buildah', [...storage, ...words]);
  const build = (target: string, recipe: Recipe, ...words: string[]): Promise<void> =>
    run(
      'build',
      // Root without its own user namespaces, as in a container, is limited to chroot isolation.
      ...(process.getuid?.() === 0 ? ['--isolation', 'chroot'] : []),
      ...['--timestamp', String(recipe.epoch)],
      ...options(recipe),
      ...['--file', dockerfile(recipe.context), '--target', target, ...words, recipe.context],
    );
  return {
    name: ['buildah', ...storage].join(' '),
    build: (target, image, recipe) => build(target, recipe, '--layers', '--format', 'docker', '--tag', image),
    save: (image, file) => {
      rmSync(file, { force: true }); // buildah does not overwrite an existing file
      return run('push', '--quiet', image, `docker-archive:${file}:${image}`);
    },
    publish: async (target, image, recipe, platforms) => {
      // buildah takes the first image that it has of a name for every platform, and says nothing.
      if (platforms.some((one) => one !== ownPlatform) && recipe.arguments['BUILDER_IMAGE'] === undefined)
        throw new Error(`buildah builds for other platforms with --builder: the base image for ${ownPlatform} alone`);
      const digest = join(temporaryFolder('vds-build-'), 'digest');
      // A list of an earlier build would keep its entries; an image of this name would be taken for a list.
      await works('buildah', ...storage, 'manifest', 'rm', image);
      await works('buildah', ...storage, 'rmi', image);
      // Nothing from the cache: buildah would take the last image of the same files, with the revision of that time.
      const all = ['--format', 'oci', '--platform', platforms.join(','), '--manifest', image];
      await build(target, recipe, ...all, ...annotations(recipe));
      await run('manifest', 'push', '--all', '--format', 'oci', '--digestfile', digest, image, `docker://${image}`);
      return digestIn(readFileSync(digest, 'utf8'));
    },
    describe: async (image) => {
      const inspect = ['inspect', '--type', 'image', '--format', '{{.FromImageID}} {{.FromImageDigest}}', image];
      const [id = ''] = (await capture('buildah', [...storage, ...inspect])).trim().split(' ');
      const listed = await capture('buildah', [...storage, 'images', '--json', image]);
      const size = (JSON.parse(listed) as { size?: string }[])[0]?.size ?? '0';
      return { bytes: bytesOf(size), digest: `sha256:${id}` };
    },
  };
}

/** A digest as the builder reports it; throws if it is none. */
function digestIn(text: string): string {
  const [digest] = /^sha256:[0-9a-f]{64}$/.exec(text.trim()) ?? [];
  if (digest === undefined) throw new Error(`the builder reports no digest of what it pushed: ${text.slice(0, 100)}`);
  return digest;
}

/** `205 MB` as buildah writes it. */
function bytesOf(text: string): number {
  const [number = '0', unit = 'B'] = text.split(' ');
  const factor = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 }[unit.toUpperCase()] ?? 1;
  return Number(number) * factor;
}

/** Whether buildah can store images with these options; overlay needs more privileges than some machines grant. */
async function buildahWorks(storage: readonly string[]): Promise<boolean> {
  const id = join(mkdtempSync(join(tmpdir(), 'vds-buildah-')), 'id');
  const made = await works('buildah', ...storage, 'from', '--cidfile', id, 'scratch');
  if (made) await works('buildah', ...storage, 'rm', (await capture('cat', [id])).trim());
  rmSync(join(id, '..'), { recursive: true, force: true });
  return made;
}
