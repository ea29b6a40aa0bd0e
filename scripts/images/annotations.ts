/** What a registry shows of an image: the annotations of the OCI image specification 1.1, "Pre-Defined Annotation Keys". */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'org.opencontainers.image';

/** Licences of what an image contains beside our own code and permissive packages; NOTICE has all of them. */
const LICENCES: Readonly<Record<string, string>> = {
  app: 'Apache-2.0 AND GPL-2.0-or-later AND GPL-3.0-or-later AND LGPL-2.1-or-later',
  media: 'Apache-2.0 AND GPL-2.0-or-later AND GPL-3.0-or-later AND LGPL-2.1-or-later',
};

/**
 * The annotations of a target's image.
 * @param given arguments of the build: VERSION, REVISION, CREATED and, if they are known, SOURCE and NODE_IMAGE
 * @param root the repository, whose Dockerfile has the base image
 */
export function annotationsOf(
  target: string,
  given: Readonly<Record<string, string>>,
  root: string,
): Record<string, string> {
  const base = given['NODE_IMAGE'] ?? defaultBase(root);
  const [name = '', digest] = base.split('@');
  const all: Readonly<Record<string, string | undefined>> = {
    title: `Video Distribution Service: ${target}`,
    licenses: LICENCES[target] ?? 'Apache-2.0',
    version: given['VERSION'],
    revision: given['REVISION'],
    created: given['CREATED'],
    source: given['SOURCE'],
    // Of app and migrate only files of it are left.
    'base.name': target === 'media' ? name : undefined,
    'base.digest': target === 'media' ? digest : undefined,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [[`${PREFIX}.${key}`, value]])),
  );
}

function defaultBase(root: string): string {
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(text)?.[1];
  if (base === undefined) throw new Error('deploy/Dockerfile has no ARG NODE_IMAGE');
  return base;
}
