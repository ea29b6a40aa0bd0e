/** The lists that people read in READMEs, guide and alerts have what a rendered release has, no more and no less. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { goProgram } from '@vds/testkit/programs/go-programs';
import { run } from '@vds/testkit/servers/command';
import { skipBecause } from '@vds/testkit/skip';
import { componentsOf, type Component } from './environment.ts';
import { canRender, referencedSecrets, render } from './render.ts';
import { templateArguments } from './release.ts';
import type { Resource } from './resource.ts';

const production = ['--values', 'deploy/values/production.yaml'];
const nameLabel = 'app.kubernetes.io/name';

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** The rows of the tables below a heading, as cells. */
function rowsBelow(page: string, heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
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

type Peer = { readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>> } };
type Egress = { readonly to?: readonly Peer[]; readonly ports?: readonly { readonly port: number }[] };

/** `from to port` of every way that a policy opens from a component, or vdsctl, to another one of the release. */
function openedEdges(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ kind, spec }) => {
    if (kind !== 'NetworkPolicy') return [];
    const { podSelector, egress = [] } = spec as {
      podSelector: { matchLabels?: Record<string, string> };
      egress?: Egress[];
    };
    const from = podSelector.matchLabels?.[nameLabel];
    if (from === undefined || from === 'release-test') return [];
    return egress.flatMap(({ to = [], ports = [] }) =>
      to.flatMap((peer) => {
        const target = peer.podSelector?.matchLabels?.[nameLabel];
        return peer.podSelector?.matchLabels?.['app.kubernetes.io/instance'] === 'vds' && target !== undefined
          ? ports.map(({ port }) => `${from} ${target} ${port}`)
          : [];
      }),
    );
  });
}

describe('the lists in documents', function () {
  this.timeout(60_000);
  let resources: Resource[];
  let components: Component[];
  let names: string[];
  const having = (variable: RegExp): string[] =>
    components
      .filter(({ variables }) => [...variables.keys()].some((key) => variable.test(key)))
      .map(({ name }) => name);
  const namesIn = (text: string): string[] => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));

  before(async function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
    resources = await render('vds', 'vds', [...templateArguments('vds').slice(3), ...production]);
    components = componentsOf(resources).filter(
      ({ args }) => isService(args) && !args.some((arg) => /vdsctl/.test(arg)),
    );
    names = [...new Set(components.map(({ name }) => name))].toSorted();
    expect(names).to.have.length.greaterThan(9);
  });

  it('the README of the chart has the Secret of every component with exactly the keys that its pods read', () => {
    const rows = rowsBelow(read('charts/vds/README.md'), 'Secrets').slice(1);
    const listed = rows.flatMap(([of = '', keys = '']) =>
      of.split(', ').flatMap((name) => (keys.match(/[A-Z0-9]+_[A-Z0-9_]+/g) ?? []).map((key) => `vds-${name}/${key}`)),
    );
    const used = referencedSecrets(resources).filter((one) => /^vds-\w+\/[A-Z]/.test(one));
    expect(listed.filter((one) => one !== 'vds-apps/APPS_TOKEN').toSorted()).to.deep.equal(used);
  });

  it('the README of the chart lists exactly the paths between components that the network policies open', () => {
    const rows = rowsBelow(read('charts/vds/README.md'), 'Network paths');
    const listed = rows.flatMap(([from = '', to = '', port = '']) =>
      /^5005\d$/.test(port) && !/`/.test(from)
        ? from.split(', ').flatMap((one) => to.split(', ').map((other) => `${one} ${other} ${port}`))
        : [],
    );
    const opened = [...new Set(openedEdges(resources))].filter((edge) => /^\w+ \w+ 5005\d$/.test(edge));
    expect(listed.toSorted()).to.deep.equal(opened.toSorted()).and.have.length.greaterThan(10);
  });

  it('the README of the chart lists the components that reach each server', () => {
    const rows = rowsBelow(read('charts/vds/README.md'), 'Network paths');
    const toward = (server: string): string[] =>
      namesIn(rows.find(([, to = '']) => to.includes(`external.${server}.peers`))?.[0] ?? '');
    expect(toward('postgres')).to.deep.equal(having(/^DATABASE_URL$/).toSorted());
    expect(toward('nats')).to.deep.equal(having(/^NATS_URL$/).toSorted());
    expect(toward('s3')).to.deep.equal(having(/_BUCKET$/).toSorted());
    expect(toward('opensearch')).to.deep.equal(having(/^OPENSEARCH_URL$/).toSorted());
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
    const args = ['install', 'vds', 'charts/vds', '--dry-run=client', ...production];
    const notes = await run(goProgram('helm') ?? 'helm', args, { cwd: new URL('../../..', import.meta.url).pathname });
    expect(notes).to.match(new RegExp(`\\b${mostConnections(resources)} connections`));
    const [, streams] = /room for (\d+) of them/.exec(read('deploy/guide/install.md')) ?? [];
    expect(notes).to.match(new RegExp(`\\b${streams} streams`));
  });

  it('the page on restoring lists every database and every bucket but that of sources as to be backed up', () => {
    const page = rowsBelow(read('deploy/guide/restore.md'), 'What to back up').map(([what = '']) => what);
    const [databases = '', buckets = ''] = ['database', 'bucket'].map((kind) =>
      page.find((what) => what.startsWith(kind)),
    );
    expect(namesIn(databases)).to.deep.equal(having(/^DATABASE_URL$/).toSorted());
    const used = components.flatMap(({ variables }) => [...variables.keys()].filter((key) => key.endsWith('_BUCKET')));
    const kept = [...new Set(used)]
      .map((key) => key.replace('_BUCKET', '').toLowerCase())
      .filter((one) => one !== 'sources');
    expect(buckets.match(/(?<=`)\w+(?=`)/g)?.toSorted()).to.deep.equal(kept.toSorted());
  });

  it('the alerts for a component without pods name every component of a release', () => {
    const [, ...rules] = read('charts/vds/alerts/processes.yaml').split('- alert: VdsComponentMissing\n');
    const listed = rules.flatMap((rule) =>
      [...(rule.split('- alert: ')[0] ?? '').matchAll(/"service", "(\w+)", "", ""/g)].map(([, name]) => name),
    );
    expect(listed).to.have.members(names);
  });

  it('the root README and the page on architecture list every component of a release', () => {
    expect(
      rowsBelow(read('README.md'), 'The services')
        .slice(1)
        .flatMap(([name = '']) => namesIn(name))
        .toSorted(),
    ).to.deep.equal(names);
    const page = read('deploy/guide/architecture.md');
    const listed = [...page.matchAll(/^\| \[?(\w+)\]?\S* \|.*$/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'service');
    expect(listed).to.have.members(names);
  });
});
