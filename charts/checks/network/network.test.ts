/**
 * The check of the network finds a surplus path, a missing path and a pod without a policy, wherever it is injected.
 */
import { expect } from 'chai';
import type { Release } from '../release.ts';
import { parseResources, type Resource } from '../resource.ts';
import { componentFaults } from './components.ts';
import { undeniedPods, unselectedPods, networkOf, pathFaults } from './paths.ts';
import { inRange, evaluatorOf, policiesOf, type Endpoint } from './policy.ts';
import { needsOf } from './reference.ts';
import { merge, portOf, portsOf, type Settings } from './settings.ts';
import { apps, dns, pod, right, settings, tables, to } from './small-stack.ts';

const release: Release = { chart: 'vds', values: 'values.yaml', name: 'values' };
function resourcesOf(documents: readonly string[]): Resource[] {
  return parseResources(documents.join('\n---\n'));
}
function faultsOf(documents: readonly string[]): string[] {
  return pathFaults(
    networkOf({ release, text: '', file: '', resources: resourcesOf(documents) }, settings),
    needsOf({ settings, release: 'vds', tables }, 'video'),
  );
}
/** The violations after one change of one document, which must match. */
function faultsAfter(index: number, what: string, by: string): string {
  const document = right[index] ?? '';
  expect(document).to.include(what);
  return faultsOf(right.with(index, document.replace(what, by))).join('\n');
}

describe('the check of network paths', () => {
  it('the check of network paths accepts exactly those of the tables', () => expect(faultsOf(right)).to.deep.equal([]));
  it('the check of network paths finds a component that may reach a server that no table gives it', () => {
    const open = to('ipBlock: { cidr: 10.0.8.5/32 }', 5432);
    expect(faultsAfter(3, dns, `${dns}, ${open}`)).to.equal(
      'gateway → postgres, 5432, is open on the way out, and no table lists it',
    );
  });
  it('the check of network paths finds a component that may not reach its own peer or server', () => {
    expect(faultsAfter(4, pod('gateway'), pod('playback'))).to.equal(
      'gateway → catalog, api, is closed on the way in, but the tables need it',
    );
    expect(faultsAfter(5, '10.0.9.0/24', '10.0.10.0/24')).to.include('ingest → s3, 443, is closed');
  });
  it('the check of network paths finds a component whose database has its own server, and whose policy leads to the shared one', () => {
    expect(faultsAfter(4, '10.0.8.6/32', '10.0.8.5/32')).to.equal(
      [
        'catalog → postgres, 5432, is open on the way out, and no table lists it',
        'catalog → postgres of catalog, 5432, is closed on the way out, but the tables need it',
      ].join('\n'),
    );
  });
  it('the check of network paths finds apps of the platform that cannot reach a service that they call, or reach another port', () => {
    expect(faultsAfter(4, `, { ${apps} }`, '')).to.equal(
      'app → catalog, api, is closed on the way in, but the tables need it',
    );
    expect(faultsAfter(4, `{ ${pod('vdsctl')} }`, `{ ${pod('vdsctl')} }, { ${apps} }`)).to.equal(
      'app → catalog, 50052, is open on the way in, and no table lists it',
    );
  });
  it('the check of network paths finds a policy that denies traffic of pods of an umbrella chart', () => {
    const denying = (selector: string): string =>
      `{ kind: NetworkPolicy, apiVersion: networking.k8s.io/v1, metadata: { name: deny }, spec: { podSelector: { matchLabels: { ${selector} } }, policyTypes: [Ingress, Egress] } }`;
    expect(faultsOf([...right, denying('app.kubernetes.io/instance: vds')]).join('\n')).to.include(
      'pod 1 of an umbrella chart → gateway, admin, is closed on the way out',
    );
    const ours = 'app.kubernetes.io/instance: vds, app.kubernetes.io/part-of: vds';
    expect(faultsOf([...right, denying(ours)]).join('\n'))
      .to.include('pod 2 of an umbrella chart → gateway, admin, is closed on the way out')
      .and.not.include('pod 1 of an umbrella chart → gateway');
    const resources = resourcesOf([...right, denying(`${ours}, app.kubernetes.io/component: service`)]);
    expect(undeniedPods({ resources }, policiesOf(resources, 'video'))[0]).to.equal(
      'the policy that denies by default does not select Deployment vds-gateway',
    );
  });
  it('the check of network paths finds a caller that reaches more than its port', () => {
    expect(faultsAfter(4, '50052', '9090')).to.equal(
      [
        'vdsctl → catalog, admin, is open on the way in, and no table lists it',
        'vdsctl → catalog, 50052, is closed on the way in, but the tables need it',
      ].join('\n'),
    );
    expect(faultsAfter(4, pod('vdsctl'), 'podSelector: {}')).to.include(
      'gateway → catalog, 50052, is open on the way in',
    );
    expect(faultsAfter(3, '8080', '9090')).to.include('client of gateway → gateway, admin, is open');
    expect(faultsAfter(3, 'ports: [{ protocol: TCP, port: 8080 }]', 'ports: []')).to.include(
      'postgres → gateway, admin, is open',
    );
  });
  it('the check of network paths finds a fetcher that reaches internal addresses, or not all external ones', () => {
    expect(faultsAfter(5, ', 169.254.0.0/16', '')).to.include('ingest → metadata at 169.254.169.254, 22, is open');
    expect(faultsAfter(5, ' 10.0.0.0/8,', '')).to.include('ingest → gateway, admin, is open on the way out');
    expect(faultsAfter(5, '8.8.8.0/24', '1.0.0.0/8')).to.include('ingest → outside at 1.1.1.1, 22, is closed');
    expect(faultsAfter(5, 'ports: [{ protocol: TCP }]', 'ports: []')).to.include('22/udp, is open');
  });
  it('the check of network paths finds a policy that differs from the private sources and DNS servers of the values', () => {
    expect(faultsAfter(5, '10.0.3.7/32', '10.0.3.8/32')).to.equal(
      'ingest → private source, 8443, is closed on the way out, but the tables need it',
    );
    expect(faultsAfter(5, '10.0.0.53/32', '10.0.0.0/24')).to.include('ingest → border at 10.0.0.0, 53, is open');
    expect(faultsAfter(5, 'port: 8443 }', 'port: 8443, endPort: 9000 }')).to.include('private source, 8444, is open');
  });
  it('the check of network paths finds a pod that no policy selects', () => {
    const without = right.toSpliced(5, 1);
    const resources = resourcesOf(without);
    expect(unselectedPods({ resources }, policiesOf(resources, 'video'))).to.deep.equal([
      'no policy rules the ingress of Deployment vds-ingest',
      'no policy rules the egress of Deployment vds-ingest',
    ]);
    expect(faultsOf(without).join('\n')).to.include('ingest → metadata at 169.254.169.254');
  });
});

describe('the evaluation of NetworkPolicies', () => {
  const at = (namespace: string, own: Record<string, string>): Endpoint => ({
    name: 'a',
    ip: '10.1.1.1',
    ports: [{ name: 'web', port: 80, protocol: 'TCP' }],
    pod: { namespace, namespaceLabels: { name: namespace }, labels: own },
  });
  const passes = (spec: string, sender: Endpoint, port = 80): boolean => {
    const text = `{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: p }, spec: ${spec} }`;
    const evaluator = evaluatorOf(policiesOf(parseResources(text), 'home'));
    return evaluator.enters({ from: sender, to: at('home', { app: 'server' }), port, protocol: 'TCP' });
  };
  const friend = at('home', { app: 'friend' });
  const foreign = at('away', { app: 'friend' });

  it('a pod that no NetworkPolicy selects is open, and a selected one is closed', () => {
    expect(passes('{ podSelector: { matchLabels: { app: other } } }', foreign)).to.equal(true);
    expect(passes('{ podSelector: {} }', foreign)).to.equal(false);
    expect(passes('{ podSelector: {}, policyTypes: [Egress] }', foreign)).to.equal(true);
  });
  it('a NetworkPolicy applies a pod selector to its own namespace, and both selectors together', () => {
    const own = '{ podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { app: friend } } }] }] }';
    expect([passes(own, friend), passes(own, foreign)]).to.deep.equal([true, false]);
    const both =
      '{ podSelector: {}, ingress: [{ from: [{ namespaceSelector: { matchLabels: { name: away } }, podSelector: { matchLabels: { app: foe } } }] }] }';
    expect(passes(both, foreign)).to.equal(false);
  });
  it('a NetworkPolicy with an empty list of peers or ports allows all of them', () => {
    expect(passes('{ podSelector: {}, ingress: [{ from: [], ports: [] }] }', foreign, 7)).to.equal(true);
  });
  it('a NetworkPolicy allows ports by number, name and range', () => {
    const rule = (port: string): string => `{ podSelector: {}, ingress: [{ ports: [{ ${port} }] }] }`;
    expect(passes(rule('port: web'), foreign)).to.equal(true);
    expect(passes(rule('port: web'), foreign, 81)).to.equal(false);
    expect(passes(rule('port: 79, endPort: 80'), foreign)).to.equal(true);
    expect(passes(rule('protocol: UDP, port: 80'), foreign)).to.equal(false);
  });
  it('a NetworkPolicy allows address ranges of IPv4 and IPv6', () => {
    expect([inRange('10.1.2.3', '10.0.0.0/8'), inRange('11.0.0.0', '10.0.0.0/8')]).to.deep.equal([true, false]);
    expect([inRange('2001:db8::1', '2001:db8::/32'), inRange('10.0.0.1', '::/0')]).to.deep.equal([true, false]);
  });
});

describe('the check of components', () => {
  it('the check of components accepts databases, events and peers as in the tables', () =>
    expect(componentFaults(settings, tables)).to.deep.equal([]));
  it('the check of components finds each difference between the chart and the tables', () => {
    const other = merge(settings, {
      components: {
        catalog: { database: false, servesApps: false, peers: ['ingest'] },
        lens: {},
        ingest: { events: false },
      },
    }) as Settings;
    expect(componentFaults(other, tables)).to.deep.equal([
      'components.lens is no service of the product',
      'catalog.peers is ["ingest"], the tables have []',
      'catalog.servesApps is false, the tables have true',
      'catalog.database is false, the tables have true',
      'ingest.events is false, the tables have true',
    ]);
  });
  it('the port of an address is the one that it names, or the default of its scheme', () => {
    expect(['https://a', 'http://a:9000', 'nats://a', 'tls://a:4443'].map(portOf)).to.deep.equal([
      443, 9000, 4222, 4443,
    ]);
    expect(portsOf('nats://a,nats://b:4223,nats://c')).to.deep.equal([4222, 4223]);
  });
});
