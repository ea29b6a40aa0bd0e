/** The recipes of the guide's page on load balancers, rendered as they stand. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { canRender, render } from './render.ts';
import type { Resource } from './resource.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(join(root, 'deploy/guide/load-balancers.md'), 'utf8');
const recipes = [...page.matchAll(/^## (.+?)\n[\s\S]*?```yaml\n([\s\S]*?)```/gm)];

describe('the page on load balancers', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'vds-load-balancers-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const [, title = '', values = ''] of recipes)
    it(`the recipe for ${title} names who may connect, trusts the same, and asks for /healthz`, async function () {
      if (!canRender()) skipBecause(this, 'helm is not on PATH');
      const file = join(folder, 'values.yaml');
      writeFileSync(file, values);
      const base = join(root, 'charts/vds/ci/required-values.yaml');
      const resources = await render('vds', 'vds', ['--values', base, '--values', file]);
      for (const name of ['vds-gateway', 'vds-playback']) {
        const hops = (of(resources, 'ConfigMap', name)['data'] as Record<string, string>)['TRUSTED_HOPS'] ?? '';
        expect(hops, `${name} trusts nobody`).to.match(/^[\d.]+\/\d+/);
        const policy = JSON.stringify(of(resources, 'NetworkPolicy', name));
        const open = [...policy.matchAll(/"cidr":"([^"]+)"/g)].map(([, cidr]) => cidr);
        if (!policy.includes('ingress-nginx')) expect(open).to.include.members(hops.split(','));
      }
      const checks = [...JSON.stringify(resources).matchAll(/(?:healthcheck-path|requestPath)":"([^"]+)"/g)];
      if (!title.includes('nginx')) expect(checks.map(([, path]) => path)).to.deep.equal(['/healthz', '/healthz']);
    });

  it('the page on load balancers has recipes for three of them', () => {
    expect(recipes).to.have.length(3);
  });
});

function of(resources: readonly Resource[], kind: string, name: string): Record<string, unknown> {
  const found = resources.find((one) => one.kind === kind && one.metadata.name === name);
  return (found ?? expect.fail(`there is no ${kind} ${name}`)) as unknown as Record<string, unknown>;
}
