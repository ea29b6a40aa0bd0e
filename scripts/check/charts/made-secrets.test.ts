/** The Secrets that operators let create are those that the pods of the release use, and those of the platform's apps. */
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { canRender, referencedSecrets, render } from './render.ts';
import type { Resource } from './resource.ts';

type ExternalSecret = {
  readonly target: { readonly name: string };
  readonly data: readonly { readonly secretKey: string }[];
};
type Certificate = { readonly secretName: string; readonly dnsNames: readonly string[] };

const all = [
  'toolbox.enabled=true,migrations.mode=job,externalSecrets.enabled=true,externalSecrets.secretStoreRef.name=vault',
  'tls.enabled=true,tls.certManager.enabled=true,tls.certManager.issuerRef.name=vds',
].join();
function specsOf<Spec>(resources: readonly Resource[], kind: string): Spec[] {
  return resources.filter((one) => one.kind === kind).map(({ spec }) => spec as Spec);
}

describe('the Secrets that a release lets operators create', function () {
  this.timeout(30_000);
  const rendered = async (more: string) =>
    await render('vds', 'vds', ['--values', 'charts/vds/ci/required-values.yaml', '--set', `${all},${more}`]);

  for (const auth of ['password', 'creds'])
    it(`with NATS by ${auth} External Secrets creates every key that a pod uses, and the token of the apps`, async function () {
      if (!canRender()) skipBecause(this, 'helm is not on PATH');
      const resources = await rendered(`external.nats.auth=${auth},external.opensearch.user=indexer`);
      const created = specsOf<ExternalSecret>(resources, 'ExternalSecret').flatMap(({ target, data }) =>
        data.map(({ secretKey }) => `${target.name}/${secretKey}`),
      );
      const used = referencedSecrets(resources).filter((one) => !one.endsWith('/*'));
      expect(used.some((one) => one.endsWith('/NATS_CREDS'))).to.equal(auth === 'creds');
      expect(created.toSorted()).to.deep.equal([...used, 'vds-apps/APPS_TOKEN'].toSorted());
    });
  it('cert-manager creates every certificate that a pod mounts, and that of the apps, each for every name of its Service', async function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
    const resources = await rendered('apps.secretName=platform,clusterDomain=k8s.example.com');
    const certificates = specsOf<Certificate>(resources, 'Certificate');
    const mounted = referencedSecrets(resources).flatMap((one) => /^(.+-tls)\/\*$/.exec(one)?.[1] ?? []);
    expect(certificates.map(({ secretName }) => secretName).toSorted()).to.deep.equal(
      [...mounted, 'platform-tls'].toSorted(),
    );
    for (const { secretName, dnsNames } of certificates) {
      const service = secretName === 'platform-tls' ? 'vds-apps' : secretName.replace(/-tls$/, '');
      const names = ['', '.default', '.default.svc', '.default.svc.k8s.example.com'];
      expect(dnsNames).to.deep.equal(names.map((name) => `${service}${name}`));
    }
  });
});
