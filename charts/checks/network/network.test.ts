/**
 * The check of the network finds a surplus path, a missing path and a pod without a policy, wherever it is injected.
 */
import { expect } from 'chai';
import type { Release } from '../release.ts';
import { parseResources, type Resource } from '../resource.ts';
import { factFaults } from './facts.ts';
import { freePods, networkOf, pathFaults } from './paths.ts';
import { inRange, judgeOf, policiesOf, type Place } from './policy.ts';
import { needsOf } from './reference.ts';
import { merge, portOf, type Settings } from './settings.ts';
import { dns, pod, right, settings, tables, to } from './small-stack.ts';

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
function planted(index: number, what: string, by: string): string {
  const document = right[index] ?? '';
  expect(document).to.include(what);
  return faultsOf(right.with(index, document.replace(what, by))).join('\n');
}

describe('the paths of a release', () => {
  it('are accepted where they are exactly those of the tables', () => expect(faultsOf(right)).to.deep.equal([]));
  it('are a fault where a component may reach a server that no table gives it', () => {
    const open = to('ipBlock: { cidr: 10.0.8.5/32 }', 5432);
    expect(planted(3, dns, `${dns}, ${open}`)).to.equal(
      'gateway → postgres, 5432, is open on the way out, and no table asks for it',
    );
  });
  it('are a fault where a component may not reach its own peer or server', () => {
    expect(planted(4, pod('gateway'), pod('playback'))).to.equal(
      'gateway → catalog, door, is closed on the way in, but the tables need it',
    );
    expect(planted(4, '10.0.8.5/32', '10.0.8.6/32')).to.include(
      'catalog → postgres, 5432, is closed on the way out, but the tables need it',
    );
    expect(planted(5, '10.0.9.0/24', '10.0.10.0/24')).to.include('ingest → s3, 443, is closed');
  });
  it('are a fault where somebody reaches more than the door made for him', () => {
    expect(planted(4, '50052', '9090')).to.equal(
      [
        'vdsctl → catalog, admin, is open on the way in, and no table asks for it',
        'vdsctl → catalog, 50052, is closed on the way in, but the tables need it',
      ].join('\n'),
    );
    expect(planted(4, pod('vdsctl'), 'podSelector: {}')).to.include('gateway → catalog, 50052, is open on the way in');
    expect(planted(3, '8080', '9090')).to.include('client of gateway → gateway, admin, is open');
    expect(planted(3, 'ports: [{ protocol: TCP, port: 8080 }]', 'ports: []')).to.include(
      'postgres → gateway, admin, is open',
    );
  });
  it('are a fault where the fetcher reaches the inside, or not all of the outside', () => {
    expect(planted(5, ', 169.254.0.0/16', '')).to.include('ingest → metadata at 169.254.169.254, 22, is open');
    expect(planted(5, ' 10.0.0.0/8,', '')).to.include('ingest → gateway, admin, is open on the way out');
    expect(planted(5, '8.8.8.0/24', '1.0.0.0/8')).to.include('ingest → outside at 1.1.1.1, 22, is closed');
    expect(planted(5, 'ports: [{ protocol: TCP }]', 'ports: []')).to.include('22/udp, is open');
  });
  it('are a fault where the operator opens a source or a DNS server and the policy does not', () => {
    expect(planted(5, '10.0.3.7/32', '10.0.3.8/32')).to.equal(
      'ingest → private source, 8443, is closed on the way out, but the tables need it',
    );
    expect(planted(5, '10.0.0.53/32', '10.0.0.0/24')).to.include('ingest → border at 10.0.0.0, 53, is open');
    expect(planted(5, 'port: 8443 }', 'port: 8443, endPort: 9000 }')).to.include('private source, 8444, is open');
  });
  it('are a fault where a policy rules nobody', () => {
    const without = right.toSpliced(5, 1);
    const resources = resourcesOf(without);
    expect(freePods({ resources }, policiesOf(resources, 'video'))).to.deep.equal([
      'no policy rules the ingress of Deployment vds-ingest',
      'no policy rules the egress of Deployment vds-ingest',
    ]);
    expect(faultsOf(without).join('\n')).to.include('ingest → metadata at 169.254.169.254');
  });
});

describe('NetworkPolicies by the rules of Kubernetes', () => {
  const at = (namespace: string, own: Record<string, string>): Place => ({
    name: 'a',
    ip: '10.1.1.1',
    ports: [{ name: 'web', port: 80, protocol: 'TCP' }],
    pod: { namespace, namespaceLabels: { name: namespace }, labels: own },
  });
  const passes = (spec: string, sender: Place, port = 80): boolean => {
    const text = `{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: p }, spec: ${spec} }`;
    const judge = judgeOf(policiesOf(parseResources(text), 'home'));
    return judge.enters({ from: sender, to: at('home', { app: 'door' }), port, protocol: 'TCP' });
  };
  const friend = at('home', { app: 'friend' });
  const foreign = at('away', { app: 'friend' });

  it('leave free what none selects, and close what one does', () => {
    expect(passes('{ podSelector: { matchLabels: { app: other } } }', foreign)).to.equal(true);
    expect(passes('{ podSelector: {} }', foreign)).to.equal(false);
    expect(passes('{ podSelector: {}, policyTypes: [Egress] }', foreign)).to.equal(true);
  });
  it('take a pod selector for the own namespace, and both selectors together', () => {
    const own = '{ podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { app: friend } } }] }] }';
    expect([passes(own, friend), passes(own, foreign)]).to.deep.equal([true, false]);
    const both =
      '{ podSelector: {}, ingress: [{ from: [{ namespaceSelector: { matchLabels: { name: away } }, podSelector: { matchLabels: { app: foe } } }] }] }';
    expect(passes(both, foreign)).to.equal(false);
  });
  it('take an empty list of peers or ports for everybody and everything', () => {
    expect(passes('{ podSelector: {}, ingress: [{ from: [], ports: [] }] }', foreign, 7)).to.equal(true);
  });
  it('know ports by number, name and range', () => {
    const rule = (port: string): string => `{ podSelector: {}, ingress: [{ ports: [{ ${port} }] }] }`;
    expect(passes(rule('port: web'), foreign)).to.equal(true);
    expect(passes(rule('port: web'), foreign, 81)).to.equal(false);
    expect(passes(rule('port: 79, endPort: 80'), foreign)).to.equal(true);
    expect(passes(rule('protocol: UDP, port: 80'), foreign)).to.equal(false);
  });
  it('know ranges of both families', () => {
    expect([inRange('10.1.2.3', '10.0.0.0/8'), inRange('11.0.0.0', '10.0.0.0/8')]).to.deep.equal([true, false]);
    expect([inRange('2001:db8::1', '2001:db8::/32'), inRange('10.0.0.1', '::/0')]).to.deep.equal([true, false]);
  });
});

describe('the facts of components', () => {
  it('are those of the tables', () => expect(factFaults(settings, tables)).to.deep.equal([]));
  it('are a fault where they differ, one by one', () => {
    const other = merge(settings, {
      components: { catalog: { database: false, peers: ['ingest'] }, lens: {}, ingest: { events: false } },
    }) as Settings;
    expect(factFaults(other, tables)).to.deep.equal([
      'components.lens is no service of the product',
      'catalog.peers is ["ingest"], the tables say []',
      'catalog.database is false, the tables say true',
      'ingest.events is false, the tables say true',
    ]);
  });
  it('take the port of an address, or the usual one', () => {
    expect(['https://a', 'http://a:9000', 'nats://a', 'tls://a:4443'].map(portOf)).to.deep.equal([
      443, 9000, 4222, 4443,
    ]);
  });
});
