/** Installs a release into an empty cluster, in phases that can be resumed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@vds/deploy-tools/services';
import type { Source } from '../source.ts';
import { attempt, command, root } from './command.ts';
import { images } from './images.ts';
import { inputsOf, keptDir, phase } from './phases.ts';
import { apply, kubectl, release } from './release.ts';
import { ORIGIN_CA, valuesOf } from './values.ts';

const secretsFile = join(keptDir, 'secrets.yaml');
export const valuesFile = join(keptDir, 'values.json');

/** Values files of the two charts, in order: later ones take precedence. */
export const chartValues = {
  vds: ['deploy/values/kind.yaml'],
  servers: (process.env['VDS_SERVERS_VALUES'] ?? 'deploy/values/devdeps/local-images.yaml').split(','),
};

/** The chart of the product. */
export const productChart = join(root, 'charts/vds');

/** Installs what is missing and prints a line with the duration of each phase. */
export async function installRelease(source: Source): Promise<void> {
  const { namespace, name, servers } = release;
  writeFileSync(valuesFile, `${JSON.stringify(valuesOf(source), null, 2)}\n`);
  await phase('namespace', inputsOf(namespace), () => there('namespace', namespace), makeNamespace);
  await phase('secrets', inputsOf(namespace), () => there('secret', `${name}-vdsctl`), makeSecrets);
  const serversOf = serverArguments();
  await phase(
    'servers',
    inputsOf(await rendered(servers, serversOf)),
    () => deployed(servers),
    () => helmUpgrade(servers, serversOf),
  );
  const ca = readFileSync(source.origin.caFile, 'utf8');
  await apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: ORIGIN_CA, namespace },
    data: { 'ca.crt': ca },
  });
  const product = ['charts/vds', ...releaseValues()];
  await phase(
    'product',
    inputsOf(await rendered(name, product), ca),
    () => deployed(name),
    () => helmUpgrade(name, product),
  );
}

async function there(kind: string, name: string): Promise<boolean> {
  return (await attempt('kubectl', ['--namespace', release.namespace, 'get', kind, name, '--output', 'name'])).includes(
    '/',
  );
}

async function makeNamespace(): Promise<void> {
  return apply({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: release.namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
}

async function makeSecrets(): Promise<void> {
  mkdirSync(keptDir, { recursive: true, mode: 0o700 });
  if (!existsSync(secretsFile)) {
    const names = ['--release', release.name, '--devdeps', release.servers, '--namespace', release.namespace];
    await command('node', ['deploy/tools/secrets/main.ts', ...names, '--out', secretsFile]);
  }
  await kubectl(['apply', '--filename', secretsFile]);
}

/** Chart, values and images of the servers, as arguments of helm. */
export function serverArguments(): string[] {
  const provision = [`repository=${images.repository}/migrate`, `tag=${images.tag}`];
  const set = provision.flatMap((image) => ['--set', `provision.image.${image}`]);
  return ['charts/vds-devdeps', ...filesOf(chartValues.servers), ...set];
}

function filesOf(files: readonly string[]): string[] {
  return files.flatMap((file) => ['--values', file]);
}

async function rendered(name: string, what: readonly string[]): Promise<string> {
  return command('helm', ['template', name, ...what, '--namespace', release.namespace]);
}

/** Whether Helm's latest status of a release is `deployed`. */
async function deployed(name: string): Promise<boolean> {
  return (await attempt('helm', ['status', name, '--namespace', release.namespace])).includes('STATUS: deployed');
}

/** @param what chart and values */
async function helmUpgrade(name: string, what: readonly string[]): Promise<void> {
  const options = ['--namespace', release.namespace, '--install', '--wait', '--timeout', '10m'];
  await command('helm', ['upgrade', name, ...what, ...options]);
}

/** Values of the release under test, as arguments of helm. */
export function releaseValues(): string[] {
  return filesOf([...chartValues.vds, valuesFile]);
}

/** Upgrades the release to another set of images, as operators do. */
export async function upgradeTo(tag: string): Promise<void> {
  const options = ['--namespace', release.namespace, '--wait', '--timeout', '10m', '--set', `image.tag=${tag}`];
  await command('helm', ['upgrade', release.name, productChart, ...releaseValues(), ...options]);
}

/** Rolls the release back to its previous revision. */
export async function rollBack(): Promise<void> {
  await command('helm', ['rollback', release.name, '--namespace', release.namespace, '--wait', '--timeout', '10m']);
}

/** Replaces every pod of the release, all components at once. */
export async function restartAll(): Promise<void> {
  const all = serviceNames.map((name) => `deployment/${release.name}-${name}`);
  await kubectl(['rollout', 'restart', ...all]);
  for (const one of all) await kubectl(['rollout', 'status', one, '--timeout', '600s']);
}
