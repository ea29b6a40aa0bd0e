/**
 * KEDA for the release under test: its operator and its adapter run on this host with the test's KUBECONFIG, and the
 * cluster's API server finds the adapter at the host's address. Everything that it adds to the cluster is removed
 * again.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '@vds/deploy-tools/secrets/certificates';
import type { Keda } from '@vds/testkit/programs/keda';
import { freePort } from '@vds/testkit/servers/free-port';
import { command } from '../cluster/command.ts';
import { writeCredentials } from '../cluster/credentials.ts';
import { hostAddress } from '../cluster/host-address.ts';
import { runOnHost } from '../cluster/host-program.ts';
import { release } from '../cluster/release.ts';

const namespace = 'vds-e2e-keda';
const service = 'keda-adapter';
const apiService = 'v1beta1.external.metrics.k8s.io';
const labels = { 'app.kubernetes.io/managed-by': 'vds-e2e' };

type Files = { readonly dir: string; readonly kubeconfig: string; readonly ca: string };

/** Objects of KEDA that the cluster already has; the suite does not touch such a cluster. */
export async function othersScaler(): Promise<string | undefined> {
  const mine = Object.entries(labels).map((one) => one.join('!='));
  const kinds = 'apiservices,customresourcedefinitions';
  const names = await command('kubectl', ['get', kinds, '--selector', mine.join(), '--output', 'name']);
  return names.split('\n').find((name) => name.endsWith(apiService) || name.endsWith('scaledobjects.keda.sh'));
}

/** Installs KEDA in the cluster; `close` removes all of it. */
export async function openKeda(found: Keda): Promise<{ readonly close: () => Promise<void> }> {
  const address = await hostAddress();
  const port = await freePort();
  const files = await writeFiles(address);
  await apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }]);
  await installKinds(found.kinds);
  const programs = await startPrograms(found, files, address, port);
  const close = async (): Promise<void> => {
    // While the operator runs: it must remove the finalizers of these kinds' objects.
    await remove('--filename', found.kinds);
    // While the adapter runs: an API that does not respond blocks every list and delete.
    await remove('apiservice', apiService);
    await programs.close();
    await remove('namespace', namespace);
    await rm(files.dir, { recursive: true, force: true });
  };
  try {
    await programs.ready();
    await apply(wayTo(address, port, files.ca));
    await command('kubectl', ['wait', 'apiservice', apiService, '--for', 'condition=Available', '--timeout', '60s']);
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

async function writeFiles(address: string): Promise<Files> {
  const dir = await mkdtemp(join(tmpdir(), 'vds-keda-'));
  const { kubeconfig } = await writeCredentials(dir);
  // Operator and adapter authenticate each other with it, and the API server the adapter.
  const { caCertificate, certificate, key } = await makeCertificates([
    `${service}.${namespace}.svc`,
    address,
    '127.0.0.1',
  ]);
  const files = { 'ca.crt': caCertificate, 'tls.crt': certificate, 'tls.key': key };
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content, { mode: 0o600 });
  return { dir, kubeconfig, ca: caCertificate };
}

function apply(items: readonly object[]): Promise<string> {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  return command('kubectl', ['apply', '--server-side', '--force-conflicts', '--filename', '-'], list);
}

async function installKinds(folder: string): Promise<void> {
  await command('kubectl', ['apply', '--server-side', '--force-conflicts', '--filename', folder]);
  await command('kubectl', [
    ...['label', '--overwrite', '--filename', folder],
    ...Object.entries(labels).map((one) => one.join('=')),
  ]);
  await command('kubectl', ['wait', '--filename', folder, '--for', 'condition=established', '--timeout', '60s']);
}

async function startPrograms({ operator, adapter }: Keda, { dir, kubeconfig }: Files, address: string, port: number) {
  const loopback = async (): Promise<string> => `127.0.0.1:${await freePort()}`;
  const [metrics, health, metricsService] = [await loopback(), await loopback(), await loopback()];
  const own = { POD_NAMESPACE: namespace, KEDA_CLUSTER_OBJECT_NAMESPACE: namespace };
  const env = { ...own, KUBECONFIG: kubeconfig, WATCH_NAMESPACE: release.namespace };
  const addresses = ['--metrics-bind-address', metrics, '--health-probe-bind-address', health];
  const first = ['--cert-dir', dir, '--metrics-service-bind-address', metricsService, ...addresses];
  const working = runOnHost(operator, first, join(dir, 'operator.log'), env);
  const clients = ['authentication', 'authorization', 'lister'].flatMap((one) => [`--${one}-kubeconfig`, kubeconfig]);
  const serving = ['--bind-address', address, '--secure-port', String(port), '--port', String(await freePort())];
  const tls = [
    '--cert-dir',
    dir,
    '--tls-cert-file',
    join(dir, 'tls.crt'),
    '--tls-private-key-file',
    join(dir, 'tls.key'),
  ];
  const second = [...serving, ...tls, ...clients, '--metrics-service-address', metricsService];
  const telling = runOnHost(adapter, second, join(dir, 'adapter.log'), env);
  return {
    ready: async () => {
      await working.ready(async () => (await fetch(`http://${health}/readyz`)).ok);
      const itself = ['--server', `https://${address}:${port}`, '--certificate-authority', join(dir, 'ca.crt')];
      await telling.ready(() => command('kubectl', [...itself, 'get', '--raw', '/readyz']));
    },
    close: async () => {
      await Promise.all([telling.close(), working.close()]);
    },
  };
}

function remove(...what: readonly string[]): Promise<string> {
  return command('kubectl', ['delete', '--ignore-not-found', '--wait', '--timeout', '120s', ...what]);
}

/** The Service and APIService that route the API server to the adapter. */
function wayTo(address: string, port: number, ca: string): readonly object[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: service, namespace },
      spec: { ports: [{ port: 443, targetPort: port }] },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: service, namespace, labels: { 'kubernetes.io/service-name': service } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ port, protocol: 'TCP' }],
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: apiService, labels },
      spec: {
        group: 'external.metrics.k8s.io',
        version: 'v1beta1',
        service: { name: service, namespace },
        caBundle: Buffer.from(ca).toString('base64'),
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    },
  ];
}
