/** One process of catalog, started as an operator starts it. */
import { catalog } from '@vds/proto';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { CatalogServiceClient } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { noTls, rpcCallers, tokenOf } from '@vds/testkit/harness/rpc-callers';
import { startService } from '@vds/testkit/harness/service-process';

export const serviceFolder = new URL('../..', import.meta.url);

/** RPC_CALLERS of every process. */
export const callerEntries = rpcCallers([
  'gateway',
  'playback',
  'vdsctl',
  'indexer',
  'ingest',
  'transcode',
  'captions',
  'metadata',
  'apps',
]);
export type CatalogProcess = Awaited<ReturnType<typeof startProcess>>;

/** Starts a process and waits until it serves. */
export async function startProcess(env: Readonly<Record<string, string>>) {
  const started = await startService(serviceFolder, { LOG_LEVEL: 'info', ...env });
  const { rpc_port: rpcPort, admin_rpc_port: adminRpcPort } = await started.logged('serving RPC');
  const { admin_port: adminPort } = await started.logged('ready');
  const { close, ...clients } = clientsOf(rpcPort, adminRpcPort);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    await close();
    return started.stop(signal);
  };
  return {
    ...clients,
    metrics: async () => (await fetch(`http://127.0.0.1:${String(adminPort)}/metrics`)).text(),
    readiness: async () => (await fetch(`http://127.0.0.1:${String(adminPort)}/readyz`)).status,
    output: started.output,
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
  };
}

/** gRPC of a running process, as any caller; `close` ends all clients that were made. */
function clientsOf(rpcPort: unknown, adminRpcPort: unknown) {
  const clients: { close: () => Promise<void> }[] = [];
  const options = (caller: string, port: unknown) => ({
    target: `dns:///127.0.0.1:${String(port)}`,
    config: { rpcToken: tokenOf(caller), ...noTls },
    timeoutMs: 20_000,
  });
  const keep = <T extends { close: () => Promise<void> }>(client: T): T => {
    clients.push(client);
    return client;
  };
  return {
    as: (caller: string) => keep(rpcClient<CatalogServiceClient>(catalog.CatalogService, options(caller, rpcPort))),
    /** The same service on the admin port. */
    onAdminPort: (caller: string) =>
      keep(rpcClient<CatalogServiceClient>(catalog.CatalogService, options(caller, adminRpcPort))),
    adminAs: (caller: string) =>
      keep(rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, options(caller, adminRpcPort))),
    close: () => Promise.all(clients.map((client) => client.close())),
  };
}
