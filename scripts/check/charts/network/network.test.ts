/** The check of network paths finds what a change of the policies opens or closes, in whichever values file. */
import { expect } from 'chai';
import { goProgram } from '@vds/testkit/programs/go-programs';
import { skipBecause } from '@vds/testkit/skip';
import { releasesOf, renderText } from '../release.ts';
import { canRender } from '../render.ts';
import { parseResources, type Resource } from '../resource.ts';
import { valuesOf } from './needs.ts';
import { networkFaults } from './network.ts';
import type { Rule } from './policies.ts';

const root = new URL('../../../../', import.meta.url).pathname;
type Spec = { podSelector: { matchLabels: Record<string, string> }; ingress: Rule[]; egress: Rule[] };

describe('the check of network paths', function () {
  this.timeout(30_000);
  const [release] = releasesOf(root).filter(({ name }) => name === 'production');
  let text = '';
  before(async function () {
    if (!canRender() || !release) return skipBecause(this, 'helm is not on PATH');
    text = await renderText(root, goProgram('helm') ?? 'helm', release);
  });

  /** The faults after a change of the policy that selects this component alone. */
  const faultsAfter = (component: string, change: (spec: Spec) => void): string[] => {
    if (!release) throw new Error('there is no production.yaml');
    const resources = parseResources(text);
    const specOf = ({ spec }: Resource): Spec => spec as unknown as Spec;
    const changed = resources.filter(
      (one) =>
        one.kind === 'NetworkPolicy' && specOf(one).podSelector.matchLabels['app.kubernetes.io/name'] === component,
    );
    expect(changed).to.have.length(1);
    for (const one of changed) change(specOf(one));
    return networkFaults(valuesOf(root, release), resources).faults;
  };

  it('the check of network paths accepts the policies of production.yaml', () => {
    expect(faultsAfter('auth', () => undefined)).to.deep.equal([]);
  });
  it('the check of network paths finds a caller that a policy no longer lets in, in a values file that no cluster runs', () => {
    const faults = faultsAfter('auth', (spec) => {
      for (const { from = [] } of spec.ingress)
        (from as unknown[]).splice(
          from.findIndex(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/name'] === 'analytics'),
          1,
        );
    });
    expect(faults)
      .to.include('needed, and closed: analytics → auth TCP 50051')
      .and.include('open, and nothing needs it: analytics → auth TCP 50051, only on the side of the caller');
  });
  it('the check of network paths finds a port, a server and an address that no table asks for', () => {
    const to = [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'catalog' } } }];
    expect(faultsAfter('gateway', ({ egress }) => egress.push({ to, ports: [{ port: 50_052 }] }))).to.deep.equal([
      'open, and nothing needs it: gateway → catalog TCP 50052, only on the side of the caller',
    ]);
    const anywhere = [{ ipBlock: { cidr: '0.0.0.0/0' } }];
    expect(faultsAfter('captions', ({ egress }) => egress.push({ to: anywhere }))).to.deep.equal([
      'open, and nothing needs it: captions → {"ipBlock":{"cidr":"0.0.0.0/0"}} any port',
    ]);
    expect(faultsAfter('playback', ({ ingress }) => ingress.push({ ports: [{ port: 9090 }] }))).to.deep.equal([
      'open, and nothing needs it: anyone → playback TCP 9090',
    ]);
  });
  it('the check of network paths finds a private range among the public addresses that sources may have', () => {
    const faults = faultsAfter('ingest', ({ egress }) => {
      for (const { ipBlock } of egress.flatMap(({ to = [] }) => to))
        if (ipBlock?.cidr === '0.0.0.0/0')
          (ipBlock.except as string[]).splice(ipBlock.except?.indexOf('10.0.0.0/8') ?? 0, 1);
    });
    expect(faults).to.include('needed, and closed: ingest → the internet (0.0.0.0/0) TCP any port');
  });
  it('the check of network paths finds a server that Cilium allows by another name', async () => {
    const [managed] = releasesOf(root).filter(({ name }) => name === 'managed-values');
    if (!managed) throw new Error('there is no managed-values.yaml');
    const resources = parseResources(await renderText(root, goProgram('helm') ?? 'helm', managed));
    const faults = (): string[] => networkFaults(valuesOf(root, managed), resources).faults;
    expect(faults()).to.deep.equal([]);
    const own = resources.find(
      ({ kind, metadata }) => kind === 'CiliumNetworkPolicy' && metadata.name === 'video-auth',
    );
    if (!own) throw new Error('auth has no policy of Cilium');
    const { egress } = own.spec as unknown as { egress: { toFQDNs?: { matchName: string }[] }[] };
    for (const name of egress.flatMap(({ toFQDNs = [] }) => toFQDNs)) name.matchName = 'db.example.org';
    expect(faults()).to.deep.equal([
      'open, and nothing needs it: auth → {"fqdn":"db.example.org"} TCP 5432',
      'needed, and closed: auth → {"fqdn":"db.example.com"} TCP 5432',
    ]);
  });
  it('the check of network paths finds a component that no policy covers', () => {
    const faults = faultsAfter(
      'indexer',
      (spec) => (spec.podSelector.matchLabels['app.kubernetes.io/name'] = 'indexers'),
    );
    expect(faults).to.include('needed, and closed: vdsctl → indexer TCP 50052');
  });
});
