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
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
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

  it('the chart vds-devdeps breaks no rule: pods are restricted and no secret is in plain text', () => {
    expect(podsOf(resources).map(({ owner }) => owner)).to.have.lengthOf(5);
    expect(resourceFaults(resources)).to.deep.equal([]);
  });
  it('NATS of vds-devdeps has a user for each service that uses events, and the system user', () => {
    const config = named('ConfigMap', 'deps-nats')?.data?.['nats.conf'] ?? '';
    const users = [...config.matchAll(/user: "([a-z]+)", password: (\S+?)[,\s]/g)].map(([, user, password]) => [
      user,
      password,
    ]);
    const wanted = [...serviceNames.filter(usesEvents), 'sys'];
    expect(users).to.deep.equal(wanted.map((user) => [user, `$NATS_PASSWORD_${user.toUpperCase()}`]));
  });
  it('NATS of vds-devdeps gets every password quoted, so that none is read as a number', () => {
    const variables = pod('nats')?.spec.containers[0]?.env ?? [];
    for (const user of [...serviceNames.filter(usesEvents), 'sys'])
      expect(variables).to.deep.include({
        name: `NATS_PASSWORD_${user.toUpperCase()}`,
        value: `'$(NATS_PASSWORD_${user.toUpperCase()}_PLAIN)'`,
      });
  });
  it('a server of vds-devdeps accepts only clients and the provision Job, and has no egress', () => {
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
  it('the engines of captions are off in vds-devdeps, and on they reach the internet for their models and nothing private', async () => {
    const off = await render('deps', 'vds-devdeps', []);
    expect(off.filter(({ metadata }) => /speech|translation/.test(metadata.name))).to.deep.equal([]);
    const on = await render('deps', 'vds-devdeps', ['--set', 'speech.enabled=true,translation.enabled=true']);
    for (const name of ['speech', 'translation']) {
      const found = (kind: string) =>
        on.find((one) => one.kind === kind && one.metadata.name === `deps-${name}`) ??
        expect.fail(`no ${kind} ${name}`);
      expect(JSON.stringify(found('StatefulSet')))
        .to.include('"runAsNonRoot":true')
        .and.include('"drop":["ALL"]');
      if (name === 'speech')
        expect(JSON.stringify(found('StatefulSet')))
          .to.include('for model in Systran/faster-whisper-small;')
          .and.include('/v1/models/$model');
      else expect(JSON.stringify(found('StatefulSet'))).to.include('"mountPath":"/app/db"');
      expect(JSON.stringify(found('NetworkPolicy').spec))
        .to.include('"except":["10.0.0.0/8"')
        .and.include('"port":443');
      expect(JSON.stringify(found('Service').spec)).to.include(name === 'speech' ? '"port":8000' : '"port":5000');
    }
  });
  it('a server that is disabled in vds-devdeps is neither rendered nor provisioned', async () => {
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

  it('the images of local servers are those of the values file and targets of the Dockerfile', () => {
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
  it('the build context of a local server’s image has only its Dockerfile of the checkout', () => {
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
