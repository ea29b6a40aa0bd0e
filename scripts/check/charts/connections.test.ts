/** The sums of connections that people read are those of a rendered release. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { goProgram } from '@vds/testkit/programs/go-programs';
import { run } from '@vds/testkit/servers/command';
import { skipBecause } from '@vds/testkit/skip';
import { componentsOf } from './environment.ts';
import { canRender, render } from './render.ts';
import { templateArguments } from './release.ts';
import type { Resource } from './resource.ts';

const production = ['--values', 'deploy/values/production.yaml'];

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** Connections that a release opens at most: the pools of a pod, each with one more, in as many pods as there may be. */
function mostConnections(resources: readonly Resource[]): number {
  const pods = (name: string): number => {
    const scaler = resources.find((one) => one.kind === 'HorizontalPodAutoscaler' && one.metadata.name === name);
    const { replicas, strategy } = (resources.find((one) => one.kind === 'Deployment' && one.metadata.name === name)
      ?.spec ?? {}) as { replicas?: number; strategy: { rollingUpdate: { maxSurge: number } } };
    return Number(scaler?.spec?.['maxReplicas'] ?? replicas) + strategy.rollingUpdate.maxSurge;
  };
  const databases = componentsOf(resources).filter(
    ({ args, variables }) => isService(args) && variables.has('DATABASE_URL'),
  );
  const sums = databases.map(({ name, variables }) => {
    const sizes = [...variables].flatMap(([key, value]) => (/^DATABASE_.*POOL_SIZE$/.test(key) ? [Number(value)] : []));
    return pods(`vds-${name}`) * sizes.reduce((sum, size) => sum + size + 1, 0);
  });
  // One for each migration, and ten for people.
  return sums.reduce((sum, one) => sum + one + 1, 10);
}

function isService(args: readonly string[]): boolean {
  return args.some((arg) => /^services\/\w+\/src\/main\.ts$/.test(arg));
}

function notesOf(...values: readonly string[]): Promise<string> {
  const args = ['install', 'vds', 'charts/vds', '--dry-run=client', ...values];
  return run(goProgram('helm') ?? 'helm', args, { cwd: new URL('../../..', import.meta.url).pathname });
}

describe('the connections in documents', function () {
  this.timeout(60_000);
  let resources: Resource[];
  before(async function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
    resources = await render('vds', 'vds', [...templateArguments('vds').slice(3), ...production]);
  });

  it('the guide names the sum of connections that a release of production.yaml and one of the defaults open at most', async () => {
    const defaults = await render('vds', 'vds', [
      ...templateArguments('vds').slice(3),
      '--values',
      'charts/vds/ci/required-values.yaml',
    ]);
    const [most, usual] = [mostConnections(resources), mostConnections(defaults)];
    expect(read('deploy/guide/install.md')).to.match(new RegExp(`must allow ${most} connections`));
    expect(read('deploy/guide/sizing.md')).to.match(new RegExp(`\\b${usual}\\b[^]*\\b${most}\\b`));
  });

  it('the notes of an installation print the sum of connections of its own values, and the number of streams', async () => {
    const notes = await notesOf(...production);
    expect(notes).to.match(new RegExp(`\\b${mostConnections(resources)} connections`));
    const [, streams] = /room for (\d+) of them/.exec(read('deploy/guide/install.md')) ?? [];
    expect(notes).to.match(new RegExp(`\\b${streams} streams`));
  });

  it('the notes of an installation warn where its pods may open more connections than its server allows', async () => {
    const most = mostConnections(resources);
    const allowed = (connections: number) =>
      notesOf(...production, '--set', `external.postgres.maxConnections=${connections}`);
    expect(await allowed(most - 1)).to.match(/TOO MANY: external\.postgres\.maxConnections is/);
    expect(await allowed(most)).to.not.include('TOO MANY');
  });

  it('behind a pooler the notes of an installation count migrations and people at the server, and pods at the pooler', async () => {
    const direct = '--set=migrations.postgres.host=db.example.com,migrations.postgres.policy=port';
    const notes = await notesOf(...production, direct);
    const databases = componentsOf(resources).filter(
      ({ args, variables }) => isService(args) && variables.has('DATABASE_URL'),
    ).length;
    expect(notes).to.include(`db.example.com:5432: ${databases + 10} connections`);
    expect(notes).to.include(`postgres.internal.example.com:5432: ${mostConnections(resources) - databases - 10} conn`);
  });
});
