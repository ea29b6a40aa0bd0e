import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { parse } from 'yaml';
import { resourceFaults } from './rules/all.ts';
import { podsOf, type Resource } from './resource.ts';
import { usesEvents } from '@vds/deploy-tools/provision/nats-account';
import { serviceNames } from '@vds/deploy-tools/services';
import { contextOf, devImages } from '@vds/testkit/programs/dev-images';
import { canRender, render } from './render.ts';

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}
const local = 'deploy/values/devdeps/local-images.yaml';

describe('the chart vds-devdeps', function () {
  this.timeout(30_000);
  let resources: Resource[];
  const named = (kind: string, name: string): Resource | undefined =>
    resources.find((one) => one.kind === kind && one.metadata.name === name);
  const pod = (name: string) => podsOf(resources).find(({ labels }) => labels['app.kubernetes.io/name'] === name);
  before(async function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
    resources = await render('deps', 'vds-devdeps');
  });

  it('breaks no rule: restricted pods without tokens, and no secret in a ConfigMap, an argument or a variable', () => {
    expect(podsOf(resources).map(({ owner }) => owner)).to.have.lengthOf(5);
    expect(resourceFaults(resources)).to.deep.equal([]);
  });
  it('gives NATS a user for each service that uses events, and no other but the system’s', () => {
    const config = named('ConfigMap', 'deps-nats')?.data?.['nats.conf'] ?? '';
    const users = [...config.matchAll(/user: "([a-z]+)", password: (\S+?)[,\s]/g)].map(([, user, password]) => [
      user,
      password,
    ]);
    const wanted = [...serviceNames.filter(usesEvents), 'sys'];
    expect(users).to.deep.equal(wanted.map((user) => [user, `$NATS_PASSWORD_${user.toUpperCase()}`]));
  });
  it('hands NATS every password as text, which a configuration never takes for a number', () => {
    const variables = pod('nats')?.spec.containers[0]?.env ?? [];
    for (const user of [...serviceNames.filter(usesEvents), 'sys'])
      expect(variables).to.deep.include({
        name: `NATS_PASSWORD_${user.toUpperCase()}`,
        value: `'$(NATS_PASSWORD_${user.toUpperCase()}_PLAIN)'`,
      });
  });
  it('lets nothing out of a server, and only clients and the Job in', () => {
    for (const name of ['postgres', 'nats', 's3', 'opensearch']) {
      const { egress, ingress } = (named('NetworkPolicy', `deps-${name}`)?.spec ?? {}) as {
        egress: unknown[];
        ingress: { from: { podSelector: { matchLabels: Record<string, string> } }[] }[];
      };
      expect(egress, name).to.deep.equal([]);
      const from = ingress.flatMap((rule) => rule.from.map(({ podSelector }) => podSelector.matchLabels));
      expect(from, name).to.deep.equal([
        { 'app.kubernetes.io/part-of': 'vds' },
        { 'app.kubernetes.io/instance': 'deps', 'app.kubernetes.io/name': 'provision' },
      ]);
    }
  });
  it('leaves out a server that is somebody’s own, and the Job leaves it alone', async () => {
    const rest = await render('deps', 'vds-devdeps', ['--values', 'charts/vds-devdeps/ci/own-servers-values.yaml']);
    expect(rest.filter(({ metadata }) => /postgres|opensearch/.test(metadata.name))).to.deep.equal([]);
    const job = podsOf(rest).find(({ kind }) => kind === 'Job')?.spec.containers[0]?.env ?? [];
    expect(job.map(({ name }) => name))
      .to.include('S3_ENDPOINT')
      .and.not.include('POSTGRES_HOST');
  });
});

describe('the images of local servers', () => {
  const images = devImages('localhost/vds', '1.0.0');

  it('are those that the values file names, and targets of the Dockerfile', () => {
    const values = parse(read(local)) as Record<string, { image?: { repository: string; tag?: string } }>;
    const targets = [...read('deploy/devdeps/Dockerfile').matchAll(/^FROM \S+ AS (\S+)$/gm)].map(
      ([, target]) => target,
    );
    for (const { target, name } of images) {
      const { repository, tag } = values[target]?.image ?? {};
      expect(`${repository}:${tag}`).to.equal(name);
      expect(targets).to.include(target);
    }
  });
  it('take their Dockerfile along, and nothing of this checkout beside what they copy', () => {
    const [postgres] = images;
    if (!postgres) throw new Error('there is no image');
    const context = contextOf(postgres);
    try {
      expect(readdirSync(context, { recursive: true })).to.have.members(['deploy', 'deploy/Dockerfile']);
    } finally {
      rmSync(context, { recursive: true });
    }
  });
});
