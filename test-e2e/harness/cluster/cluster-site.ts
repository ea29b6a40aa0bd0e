/** The release in the cluster as a test sees it: loopback ports that lead to its endpoints and its servers. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminPools } from '@vds/testkit/stack/admin-pools';
import { bucketsOf } from '@vds/deploy-tools/installation';
import type { PortName, ServiceName } from '@vds/deploy-tools/services';
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { find } from '@vds/testkit/servers/command';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { until } from '@vds/testkit/until';
import type { ClientTls, Site } from '../site.ts';
import { openForward, type Forward } from './forward.ts';
import { keptDir } from './phases.ts';
import { allPodsOf, getJson, isReady, kubectl, podsOf, release, secretOf } from './release.ts';

const ports: Readonly<Record<PortName, number>> = { http: 8080, rpc: 50_051, adminRpc: 50_052 };
type Forwards = ReturnType<typeof openForwards>;

/** Opens the port forwards into the cluster. The release must be installed. */
export async function openClusterSite(): Promise<Site & { close: () => Promise<void> }> {
  const forwards = openForwards();
  const servers = await reachServers(forwards);
  const rpcPorts = await openRpcPorts(forwards);
  const pools = adminPools(servers, '');
  const clientTls = await writeClientTls();
  const { VDSCTL_TOKEN: vdsctl = '' } = await secretOf(`${release.name}-vdsctl`);
  const { APPS_TOKEN: apps = '' } = await secretOf(`${release.name}-apps`);
  const tokens = Object.fromEntries(serviceNames.map((name) => [name, ''])) as Record<ServiceName, string>;
  return {
    name: '',
    servers,
    tokens: { ...tokens, vdsctl, apps },
    clientTls,
    buckets: bucketsOf(''),
    url: (service) => (service === 'playback' ? release.playbackUrl : release.gatewayUrl),
    urls: async (service) => {
      const pods = (await podsOf(service)).filter(isReady);
      const ways = await Promise.all(pods.map(({ metadata }) => forwards.to(`pod/${metadata.name}`, ports.http)));
      return ways.map(({ port }) => `http://127.0.0.1:${port}`);
    },
    rpc: (service, port = 'rpc') => `dns:///127.0.0.1:${rpcPorts.get(`${service} ${port}`) ?? 0}`,
    adminPool: pools.of,
    end: scaleAway,
    reconnect: forwards.reconnect,
    close: async () => {
      await pools.end();
      await forwards.close();
    },
  };
}

/** Forwards by `<resource>:<port>`, each opened once. */
function openForwards() {
  const open = new Map<string, Promise<Forward>>();
  return {
    to: (resource: string, port: number): Promise<Forward> => {
      const key = `${resource}:${port}`;
      const found = open.get(key) ?? openForward(resource, port);
      open.set(key, found);
      return found;
    },
    /** Waits until the forwards to Services work again, whichever pods have gone; a forward to a pod ends with it. */
    reconnect: async (): Promise<void> => {
      const toServices = [...open].filter(([key]) => key.startsWith('svc/'));
      await Promise.all(toServices.map(async ([, one]) => (await one).reconnect()));
    },
    close: async (): Promise<void> => {
      await Promise.allSettled([...open.values()].map(async (one) => (await one).close()));
    },
  };
}

/** The certificate that the operator's programs call with. */
async function writeClientTls(): Promise<ClientTls> {
  const files = await secretOf(`${release.name}-vdsctl-tls`);
  const dir = join(keptDir, 'client-tls');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const write = async (name: string): Promise<string> => {
    await writeFile(join(dir, name), files[name] ?? '', { mode: 0o600 });
    return join(dir, name);
  };
  const [tlsCertFile, tlsKeyFile, tlsCaFile] = [await write('tls.crt'), await write('tls.key'), await write('ca.crt')];
  return { tlsCertFile, tlsKeyFile, tlsCaFile };
}

/** The servers of chart vds-devdeps, with administrator access. */
async function reachServers(forwards: Forwards): Promise<Servers> {
  const admin = await secretOf(`${release.servers}-admin`);
  const at = async (name: string, port: number): Promise<number> =>
    (await forwards.to(`svc/${release.servers}-${name}`, port)).port;
  const [postgres, s3, opensearch] = await Promise.all([at('postgres', 5432), at('s3', 7070), at('opensearch', 9200)]);
  return {
    postgres: {
      host: '127.0.0.1',
      port: postgres,
      adminUser: 'admin',
      adminPassword: admin['postgres-password'] ?? '',
    },
    nats: { url: '', monitorUrl: '', user: '', password: '', binary: '', dir: '' },
    s3: {
      endpoint: `http://127.0.0.1:${s3}`,
      region: 'us-east-1',
      rootAccessKey: admin['s3-access-key'] ?? '',
      rootSecretKey: admin['s3-secret-key'] ?? '',
    },
    opensearch: { url: `http://127.0.0.1:${opensearch}` },
    // Programs that the tests start run on this host.
    ffmpeg: find('ffmpeg'),
    confine: null,
    speechPython: null,
    speechModel: null,
    embeddings: null,
    apertium: null,
  };
}

async function openRpcPorts(forwards: Forwards): Promise<ReadonlyMap<string, number>> {
  const wanted = serviceNames.flatMap((service) =>
    rowOf(service)
      .ports.filter((name) => name !== 'http')
      .map((name) => ({ service, name })),
  );
  return new Map(
    await Promise.all(
      wanted.map(async ({ service, name }) => {
        const { port } = await forwards.to(`svc/${release.name}-${service}`, ports[name]);
        return [`${service} ${name}`, port] as const;
      }),
    ),
  );
}

/** Stops every replica by scaling to zero; the returned function restores the previous number. */
async function scaleAway(service: ServiceName): Promise<() => Promise<void>> {
  const { spec } = await getJson<{ spec: { replicas: number } }>([deployment(service)]);
  await kubectl(['scale', deployment(service), '--replicas', '0']);
  // Terminating pods still serve for a while.
  const gone = async (): Promise<boolean> => (await allPodsOf(service)).length === 0;
  await until(gone, { capMs: 120_000, everyMs: 250, what: `the end of ${service}` });
  return async () => {
    await kubectl(['scale', deployment(service), '--replicas', String(spec.replicas)]);
    await kubectl(['rollout', 'status', deployment(service), '--timeout', '300s']);
  };
}

function deployment(service: ServiceName): string {
  return `deployment/${release.name}-${service}`;
}
