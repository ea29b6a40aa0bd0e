/** The paths of the servers for tests: only clients and the Job may connect, and servers may connect to nothing. */
import { expect } from 'chai';
import type { Rendered } from '../release.ts';
import { parseResources } from '../resource.ts';
import { devdepsNeeds, devdepsNetwork, type DevdepsSettings } from './devdeps.ts';
import { pathFaults } from './paths.ts';

const off = { enabled: false };
const settings: DevdepsSettings = {
  postgres: off,
  nats: { enabled: true },
  s3: off,
  opensearch: off,
  clients: [],
  networkPolicy: { enabled: true, dns: { peers: [{ ipBlock: { cidr: '10.0.0.53/32' } }], ports: [53] } },
};
function labels(name: string): string {
  return `{ app.kubernetes.io/instance: deps, app.kubernetes.io/name: ${name} }`;
}
function pod(kind: string, name: string): string {
  return `{ apiVersion: v1, kind: ${kind}, metadata: { name: ${name} }, spec: { template: { metadata: { labels: ${labels(name)} }, spec: { containers: [{ name: a, image: a, ports: [{ containerPort: 4222 }, { containerPort: 8222 }] }] } } } }`;
}
function policy(name: string, rules: string): string {
  return `{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: ${name} }, spec: { podSelector: { matchLabels: ${labels(name)} }, policyTypes: [Ingress, Egress], ${rules} } }`;
}
const job = `{ podSelector: { matchLabels: ${labels('provision')} } }`;
const right = [
  pod('StatefulSet', 'nats'),
  pod('Job', 'provision'),
  policy(
    'nats',
    `ingress: [{ from: [{ podSelector: { matchLabels: { app.kubernetes.io/part-of: vds } } }], ports: [{ port: 4222 }] }, { from: [${job}], ports: [{ port: 4222 }, { port: 8222 }] }]`,
  ),
  policy(
    'provision',
    `egress: [{ to: [{ ipBlock: { cidr: 10.0.0.53/32 } }], ports: [{ port: 53 }, { protocol: UDP, port: 53 }] }, { to: [{ podSelector: { matchLabels: ${labels('nats')} } }], ports: [{ port: 4222 }, { port: 8222 }] }]`,
  ),
].join('\n---\n');
function faultsOf(text: string): string {
  const release = { chart: 'vds-devdeps', values: 'a.yaml', name: 'a' };
  const rendered: Rendered = { release, text, file: '', resources: parseResources(text) };
  return pathFaults(devdepsNetwork(rendered, settings), devdepsNeeds(settings, 'deps')).join('\n');
}
function faultsAfter(from: string, to: string): string {
  expect(right).to.include(from);
  return faultsOf(right.replace(from, to));
}

describe('the check of network paths in vds-devdeps', () => {
  it('the check of network paths in vds-devdeps accepts what the chart promises', () =>
    expect(faultsOf(right)).to.equal(''));
  it('the check of network paths in vds-devdeps finds clients that cannot connect, or reach more than their port', () => {
    expect(faultsAfter('part-of: vds', 'part-of: vdz')).to.equal(
      'pod of vds → nats, 4222, is closed on the way in, but the tables need it',
    );
    expect(faultsAfter('ports: [{ port: 4222 }] }', 'ports: [{ port: 4222 }, { port: 8222 }] }')).to.equal(
      'pod of vds → nats, 8222, is open on the way in, and no table lists it',
    );
  });
  it('the check of network paths in vds-devdeps finds an unrelated pod that may connect, and a server with egress', () => {
    expect(
      faultsAfter('{ podSelector: { matchLabels: { app.kubernetes.io/part-of: vds } } }', '{ podSelector: {} }'),
    ).to.include('unrelated pod beside it → nats, 4222, is open');
    expect(faultsAfter('ingress: [', 'egress: [{}], ingress: [')).to.include('nats → outside at 1.1.1.1');
    expect(faultsAfter('cidr: 10.0.0.53/32', 'cidr: 10.0.0.0/8')).to.include('provision → border at 10.0.0.0, 53');
  });
});
