/**
 * Whether a real cluster enforces the network policies of a release. That the policies open exactly the paths of the
 * product's tables is checked for every values file without a cluster: see scripts/check/charts/network/network.ts.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { getJson, podsOf, release, type Pod } from '../harness/cluster/release.ts';
import { hostAddress } from '../harness/cluster/host-address.ts';
import type { Target } from '../harness/host/host.ts';
import { theCluster } from '../harness/shared-target.ts';
import { inPod, probeFrom, probeFromOutside, type Probe } from './in-pod.ts';

const ports = { http: 8080, rpc: 50_051, adminRpc: 50_052, admin: 9090 } as const;
const servers = { postgres: 5432, nats: 4222, s3: 7070, opensearch: 9200 } as const;

function ipOf(pods: readonly Pod[]): string {
  return pods.find(({ status }) => status.podIP)?.status.podIP ?? '';
}

/** The ports and the metrics of every component, each at the address of one of its pods. */
async function insideProbes(): Promise<Probe[]> {
  const found = await Promise.all(
    serviceNames.map(async (name) => {
      const host = ipOf(await podsOf(name));
      return [...rowOf(name).ports, 'admin' as const].map((port) => ({
        name: `${name} ${port}`,
        host,
        port: ports[port],
      }));
    }),
  );
  return found.flat();
}

/** @param namespace included in the names, for callers from another one */
function serverProbes(namespace?: string): Probe[] {
  return Object.entries(servers).map(([name, port]) => {
    const host = `${release.servers}-${name}`;
    return { name, host: namespace === undefined ? host : `${host}.${namespace}.svc`, port };
  });
}

/** A port of the tests' host that every policy denies and that has a listener. */
async function openOtherServer(address: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, address);
  await once(server, 'listening');
  return server;
}

describe('the network of a release', function () {
  this.timeout(120_000);
  let target: Target;
  let probes: readonly Probe[];
  let otherServer: Server | undefined;
  let blockedProbes: readonly Probe[];
  before(async function () {
    this.timeout(1_200_000);
    target = await theCluster(this);
    const { spec } = await getJson<{ spec: { clusterIP: string } }>([
      'service',
      'kubernetes',
      '--namespace',
      'default',
    ]);
    const { subsets = [] } = await getJson<{ subsets?: { addresses: { ip: string }[]; ports: { port: number }[] }[] }>([
      'endpoints',
      'kubernetes',
      '--namespace',
      'default',
    ]);
    const api = { host: subsets[0]?.addresses[0]?.ip ?? '', port: subsets[0]?.ports[0]?.port ?? 443 };
    const host = await hostAddress();
    otherServer = await openOtherServer(host);
    blockedProbes = [
      { name: 'the API’s Service', host: spec.clusterIP, port: 443 },
      { name: 'the API’s address', ...api },
      { name: 'the metadata address', host: '169.254.169.254', port: 80 },
      { name: 'another port of the origin’s host', host, port: (otherServer.address() as AddressInfo).port },
    ];
    probes = [
      ...(await insideProbes()),
      ...serverProbes(),
      ...blockedProbes,
      { name: 'the tests’ origin', host, port: target.origin.port },
    ];
  });
  after(() => otherServer?.close());

  /** What a pod of the service reaches besides itself. */
  const reachedFrom = async (service: ServiceName): Promise<string[]> => {
    const ends = await probeFrom(service, probes);
    const open = Object.keys(ends).filter((name) => ends[name] === 'open');
    return open.filter((name) => !name.startsWith(`${service} `)).toSorted();
  };

  it('a pod of another namespace reaches the public ports and no others', async () => {
    const ends = await probeFromOutside([...(await insideProbes()), ...serverProbes(release.namespace)]);
    const open = Object.keys(ends).filter((name) => ends[name] === 'open');
    expect(open.toSorted()).to.deep.equal(['gateway http', 'playback http']);
  });

  it('the operators’ pod reaches the admin ports and nothing else', async () => {
    const ends = await probeFrom('vdsctl', probes);
    const open = Object.keys(ends).filter((name) => ends[name] === 'open');
    const staff = serviceNames.filter((name) => rowOf(name).ports.includes('adminRpc'));
    expect(open.toSorted()).to.deep.equal(staff.map((name) => `${name} adminRpc`).toSorted());
  });

  it('catalog reaches its servers and nothing else', async () => {
    expect(await reachedFrom('catalog')).to.deep.equal(['auth rpc', 'nats', 'postgres']);
  });

  it('gateway reaches its peers and nothing else', async () => {
    expect(await reachedFrom('gateway')).to.deep.equal(rowOf('gateway').peers.map((peer) => `${peer} rpc`));
  });

  it('network policies block the API server, the metadata address and the host, which other pods do reach', async () => {
    const outside = await probeFromOutside(blockedProbes);
    const { 'the metadata address': metadata, ...rest } = outside;
    expect(new Set(Object.values(rest))).to.deep.equal(new Set(['open']));
    const ours = await probeFrom('ingest', blockedProbes);
    // Nothing may listen there; then the kind of error shows what rejected the connection.
    expect(ours['the metadata address'], `from outside: ${metadata}`).not.to.equal(metadata);
    console.log(`      the metadata address: ${metadata} from outside, ${ours['the metadata address']} from ingest`);
  });

  for (const component of serviceNames.filter((name) => rowOf(name).database)) {
    it(`${component} is denied access to the databases of the others`, async () => {
      const others = serviceNames.filter((name) => name !== component && rowOf(name).database);
      const answers = await inPod<Record<string, string>>(
        component,
        others,
        `import { createRequire } from 'node:module';
        const pg = createRequire('/app/services/_chassis/package.json')('pg');
        const { hostname: host, port, username: user } = new URL(process.env.DATABASE_URL);
        const password = process.env.DATABASE_PASSWORD;
        const tryConnect = async (database) => {
          const client = new pg.Client({ host, port: Number(port), user, password, database });
          try { await client.connect(); await client.end(); return [database, 'connected']; }
          catch (error) { return [database, error.code]; }
        };
        output(Object.fromEntries(await Promise.all(input.map(tryConnect))));`,
      );
      // 42501: insufficient_privilege (PostgreSQL, appendix A).
      expect(new Set(Object.values(answers))).to.deep.equal(new Set(['42501']));
      expect(Object.keys(answers)).to.have.length(others.length);
    });
  }

  it('no pod has a token of the Kubernetes API', async () => {
    for (const component of serviceNames) {
      const found = await inPod<boolean>(
        component,
        null,
        `import { existsSync } from 'node:fs';
        output(existsSync('/var/run/secrets/kubernetes.io/serviceaccount/token'));`,
      );
      expect(found, component).to.equal(false);
    }
  });
});
