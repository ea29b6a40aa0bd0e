/** The edge as the chart renders it: real nginx reads its configuration, and viewers come through it. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { nginx } from '@vds/testkit/programs/nginx';
import { isRoot, run } from '@vds/testkit/servers/command';
import { skipBecause } from '@vds/testkit/skip';
import { canRender, render } from './render.ts';
import type { Resource } from './resource.ts';

const required = fileURLToPath(new URL('../../../charts/vds/ci/required-values.yaml', import.meta.url));
const CACHE = '/var/cache/edge';

describe('the edge in the chart', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'vds-edge-chart-'));
  after(() => rmSync(folder, { recursive: true }));
  before(function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
  });

  const rendered = (...values: string[]): Promise<Resource[]> =>
    render('vds', 'vds', ['--values', required, ...['edge.enabled=true', ...values].flatMap((one) => ['--set', one])]);

  for (const [at, values, workers, media] of [
    ['by default', [], 2, '17920m'],
    [
      'with a large volume and IPv4 alone',
      ['edge.cache.size=2Ti', 'edge.resources.requests.cpu=3500m', 'edge.ipv6=false'],
      8,
      '1886924m',
    ],
  ] as const)
    it(`real nginx accepts the configuration that the chart renders ${at}, and makes its folders in an empty volume`, async function () {
      const program = nginx();
      if (program === null) return skipBecause(this, 'there is no nginx');
      const text = String(of(await rendered(...values), 'ConfigMap', 'vds-edge').data?.['nginx.conf']);
      expect(text).to.not.include('${');
      expect(text).to.include(`worker_processes ${workers};`).and.include(`max_size=${media} `);
      const cache = mkdtempSync(join(folder, 'cache-'));
      const file = join(cache, 'nginx.conf');
      // The test has neither the Service of playback nor a standard output that can be opened by its name.
      const here = text
        .replaceAll(CACHE, cache)
        .replaceAll('vds-playback:8080', '127.0.0.1:8080')
        .replace('/dev/stdout', join(cache, 'access.log'));
      writeFileSync(file, `${isRoot() ? 'user root;\n' : ''}${here}`);
      await run(program, ['-t', '-e', 'stderr', '-c', file]);
      expect(readdirSync(cache)).to.include.members(['media', 'gate', 'body', 'part']);
    });

  it("viewers' Ingress and route lead to the edge, and partners' do not", async () => {
    const resources = await rendered(
      ...['components.playback.ingress.enabled=true', 'components.playback.ingress.hosts={play.example.com}'],
      ...['components.playback.httpRoute.enabled=true', 'components.playback.httpRoute.parentRefs[0].name=public'],
      ...['components.gateway.ingress.enabled=true', 'components.gateway.ingress.hosts={api.example.com}'],
      'edge.service.port=81',
    );
    const backend = (kind: string, name: string): string => JSON.stringify(of(resources, kind, name).spec);
    expect(backend('Ingress', 'vds-playback')).to.include('"name":"vds-edge"').and.not.include('vds-playback');
    expect(backend('HTTPRoute', 'vds-playback')).to.include('{"name":"vds-edge","port":81}');
    expect(backend('Ingress', 'vds-gateway')).to.include('"name":"vds-gateway"').and.not.include('vds-edge');
    expect(JSON.stringify(resources.find(({ kind }) => kind === 'Pod'))).to.include('"value":"http://vds-edge:81"');
  });

  it('a pod of the edge stays in its Service for as long as viewers go on without playback', async () => {
    const [edge] = (of(await rendered(), 'Deployment', 'vds-edge').spec as Spec).template.spec.containers;
    const { periodSeconds, failureThreshold, httpGet } = edge?.readinessProbe ?? expect.fail('it has no probe');
    expect(httpGet.path).to.equal('/readyz');
    expect(periodSeconds * failureThreshold).to.be.at.least(300);
  });
});

type Probe = { httpGet: { path: string }; periodSeconds: number; failureThreshold: number };
type Spec = { template: { spec: { containers: { readinessProbe: Probe }[] } } };

function of(resources: readonly Resource[], kind: string, name: string): Resource {
  return resources.find((one) => one.kind === kind && one.metadata.name === name) ?? expect.fail(`no ${kind} ${name}`);
}
