/** Programs that build images, each behind the same interface of four functions. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, show, works } from './run-program.ts';

export type Recipe = {
  readonly context: string;
  readonly epoch: number;
  readonly arguments: Readonly<Record<string, string>>;
  /** Files mounted during the build: id → path. The image contains none of them. */
  readonly secretFiles: Readonly<Record<string, string>>;
};
export type Description = { readonly bytes: number; readonly digest: string };
export type Builder = {
  readonly name: string;
  /** Builds one target and stores it in the builder's own store under this name. */
  readonly build: (target: string, image: string, recipe: Recipe) => Promise<void>;
  /** Writes an archive for `docker load`, `ctr images import` and `kind load image-archive`. */
  readonly save: (image: string, file: string) => Promise<void>;
  readonly push: (image: string) => Promise<void>;
  /** The size of its files, unpacked, and the digest of its configuration: equal content has an equal digest. */
  readonly describe: (image: string) => Promise<Description>;
};

const vfs = ['--storage-driver', 'vfs'];
const known: readonly (readonly [builder: Builder, usable: () => Promise<boolean>])[] = [
  [docker(true), async () => (await works('docker', 'info')) && (await works('docker', 'buildx', 'version'))],
  [docker(false), () => works('docker', 'info')],
  [buildah([]), () => buildahWorks([])],
  [buildah(vfs), () => buildahWorks(vfs)],
];

/** The first builder that works here, or one sentence that names what is required. */
export async function findBuilder(): Promise<Builder> {
  for (const [builder, usable] of known) if (await usable()) return builder;
  throw new Error(
    'nothing here can build images: start Docker (its daemon must answer `docker info`), or install buildah (Debian: apt-get install buildah)',
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

function docker(withBuildx: boolean): Builder {
  return {
    name: withBuildx ? 'docker buildx' : 'docker',
    build: async (target, image, recipe) => {
      const { context } = recipe;
      const common = [...options(recipe), '--file', dockerfile(context), '--target', target];
      // Only buildx also sets the times inside of layers to SOURCE_DATE_EPOCH.
      const output = ['--provenance=false', '--output', `type=docker,name=${image},rewrite-timestamp=true`];
      if (withBuildx) await show('docker', ['buildx', 'build', ...common, ...output, context]);
      else
        await show('docker', ['build', ...common, '--tag', image, context], {
          env: { ...process.env, DOCKER_BUILDKIT: '1' },
        });
    },
    save: (image, file) => show('docker', ['save', '--output', file, image]),
    push: (image) => show('docker', ['push', image]),
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
  return {
    name: ['buildah', ...storage].join(' '),
    build: (target, image, recipe) =>
      run(
        'build',
        // Root without its own user namespaces, as in a container, is limited to chroot isolation.
        ...(process.getuid?.() === 0 ? ['--isolation', 'chroot'] : []),
        ...['--layers', '--format', 'docker', '--timestamp', String(recipe.epoch)],
        ...options(recipe),
        ...['--file', dockerfile(recipe.context), '--target', target, '--tag', image, recipe.context],
      ),
    save: (image, file) => {
      rmSync(file, { force: true }); // buildah does not overwrite an existing file
      return run('push', '--quiet', image, `docker-archive:${file}:${image}`);
    },
    push: (image) => run('push', image, `docker://${image}`),
    describe: async (image) => {
      const inspect = ['inspect', '--type', 'image', '--format', '{{.FromImageID}} {{.FromImageDigest}}', image];
      const [id = ''] = (await capture('buildah', [...storage, ...inspect])).trim().split(' ');
      const listed = await capture('buildah', [...storage, 'images', '--json', image]);
      const size = (JSON.parse(listed) as { size?: string }[])[0]?.size ?? '0';
      return { bytes: bytesOf(size), digest: `sha256:${id}` };
    },
  };
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
