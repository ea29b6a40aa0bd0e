/** Images of the servers that this machine runs itself, and their contents. */
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goProgram, type GoProgram } from './go-programs.ts';
import { openSearchJars, openSearchLauncher } from '../servers/opensearch.ts';

export type DevImage = {
  /** Target of deploy/devdeps/Dockerfile. */
  readonly target: string;
  readonly name: string;
  /** Writes the files the target copies into its build context. */
  readonly fill: (context: string) => void;
};

const dockerfile = fileURLToPath(new URL('../../../deploy/devdeps/Dockerfile', import.meta.url));

/** Every image, under the names of deploy/values/devdeps/local-images.yaml. */
export function devImages(repository: string, tag: string): DevImage[] {
  return [
    { target: 'postgres', fill: () => undefined },
    { target: 'nats', fill: copyProgram('nats-server') },
    { target: 's3', fill: copyProgram('versitygw') },
    { target: 'opensearch', fill: copyOpenSearch },
  ].map(({ target, fill }) => ({ target, fill, name: `${repository}/dev-${target}:${tag}` }));
}

function copyProgram(program: GoProgram) {
  return (context: string): void => {
    const path = goProgram(program);
    if (path === null) throw new Error(`${program} is not here: run \`npm run servers -- install\`.`);
    copyFileSync(path, join(context, program));
    chmodSync(join(context, program), 0o755);
  };
}

function copyOpenSearch(context: string): void {
  cpSync(openSearchJars(), join(context, 'jars'), { recursive: true });
  copyFileSync(openSearchLauncher, join(context, 'SingleNode.java'));
}

/** A new build context with the Dockerfile, where builders expect it, and the files the image copies. */
export function contextOf({ fill }: DevImage): string {
  const context = mkdtempSync(join(tmpdir(), 'vds-dev-image-'));
  mkdirSync(join(context, 'deploy'));
  copyFileSync(dockerfile, join(context, 'deploy', 'Dockerfile'));
  fill(context);
  return context;
}
