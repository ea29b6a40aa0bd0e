/** Images of the servers that this machine runs itself: what each is made of, and building one. */
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { find, run } from '../servers/command.ts';
import { goProgram, type GoProgram } from '../servers/go-programs.ts';
import { openSearchJars, openSearchLauncher } from '../servers/opensearch.ts';

export type DevImage = {
  /** Target of deploy/devdeps/Dockerfile. */
  readonly target: string;
  readonly name: string;
  /** Puts what the target copies into its build context. */
  readonly fill: (context: string) => void;
};

const copyProgram =
  (program: GoProgram) =>
  (context: string): void => {
    const path = goProgram(program);
    if (path === null) throw new Error(`${program} is not here: run \`npm run servers -- install\`.`);
    copyFileSync(path, join(context, program));
    chmodSync(join(context, program), 0o755);
  };

const copyOpenSearch = (context: string): void => {
  cpSync(openSearchJars(), join(context, 'jars'), { recursive: true });
  copyFileSync(openSearchLauncher, join(context, 'SingleNode.java'));
};

/** Every image, under the names of deploy/values/devdeps/local-images.yaml. */
export const devImages = (repository: string, tag: string): DevImage[] =>
  [
    { target: 'postgres', fill: () => undefined },
    { target: 'nats', fill: copyProgram('nats-server') },
    { target: 's3', fill: copyProgram('versitygw') },
    { target: 'opensearch', fill: copyOpenSearch },
  ].map(({ target, fill }) => ({ target, fill, name: `${repository}/dev-${target}:${tag}` }));

export type Builder = { readonly path: string; readonly kind: 'docker' | 'buildah' | 'podman' };

/** The first program that can build; docker only where its engine answers. */
export const findBuilder = async (): Promise<Builder> => {
  for (const kind of ['docker', 'podman', 'buildah'] as const) {
    const path = find(kind);
    if (path === null) continue;
    const answers = await run(path, ['info']).then(
      () => true,
      () => false,
    );
    if (answers) return { path, kind };
  }
  throw new Error('Building images needs docker with its engine, podman or buildah: please install one.');
};

/** Arguments of a build, the same for all three programs. */
export const buildArguments = (
  { kind }: Builder,
  { target, name }: DevImage,
  { dockerfile, context, base }: { dockerfile: string; context: string; base: string | undefined },
): string[] => [
  ...(kind === 'buildah' ? ['build', '--layers'] : ['build']),
  ...['--file', dockerfile, '--target', target, '--tag', name],
  ...(base === undefined ? [] : ['--build-arg', `BASE_IMAGE=${base}`]),
  context,
];

/** Builds one image in a context that holds nothing but what it copies. */
export const buildImage = async (
  builder: Builder,
  image: DevImage,
  options: { dockerfile: string; base: string | undefined },
): Promise<void> => {
  const context = mkdtempSync(join(tmpdir(), 'vds-dev-image-'));
  try {
    image.fill(context);
    await run(builder.path, buildArguments(builder, image, { ...options, context }));
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
};

/** Saves an image as an archive that containerd, docker and kind load; returns its path. */
export const archiveImage = async (builder: Builder, { target, name }: DevImage, folder: string): Promise<string> => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `dev-${target}.tar`);
  rmSync(file, { force: true });
  if (builder.kind === 'buildah') await run(builder.path, ['push', name, `docker-archive:${file}:${name}`]);
  else await run(builder.path, ['save', '--output', file, name]);
  return file;
};
