/** One process of catalog, started as an operator starts it. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { catalog } from '@vds/proto';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { CatalogServiceClient } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { until } from '@vds/chassis/testing/until';

export const serviceFolder = new URL('../..', import.meta.url);
const callers = ['gateway', 'playback', 'vdsctl', 'indexer', 'ingest', 'captions', 'metadata', 'demo'];

/** RPC_CALLERS of every process. */
export const callerEntries = callers
  .map((name) => `${name}=${createHash('sha256').update(tokenOf(name)).digest('hex')}`)
  .join(',');
export type CatalogProcess = Awaited<ReturnType<typeof startProcess>>;

/** Starts a process and waits until it serves. */
export async function startProcess(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('src/main.ts', serviceFolder))], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const line = (msg: string) =>
    until(
      () => {
        const found = output.split('\n').find((text) => text.includes(`"msg":"${msg}"`) && text.endsWith('}'));
        if (found === undefined && child.exitCode !== null) throw new Error(`catalog exited: ${output}`);
        return found !== undefined && (JSON.parse(found) as Readonly<Record<string, unknown>>);
      },
      { what: `the log line '${msg}'` },
    );
  const { rpc_port: rpcPort, admin_rpc_port: adminRpcPort } = await line('serving RPC');
  const { admin_port: adminPort } = await line('ready');
  const { close, ...clients } = clientsOf(rpcPort, adminRpcPort);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    await close();
    child.kill(signal);
    return exited;
  };
  return {
    ...clients,
    metrics: async () => (await fetch(`http://127.0.0.1:${String(adminPort)}/metrics`)).text(),
    readiness: async () => (await fetch(`http://127.0.0.1:${String(adminPort)}/readyz`)).status,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
  };
}

/** gRPC of a running process, as any caller; `close` ends all clients that were made. */
function clientsOf(rpcPort: unknown, adminRpcPort: unknown) {
  const clients: { close: () => Promise<void> }[] = [];
  const options = (caller: string, port: unknown) => ({
    target: `dns:///127.0.0.1:${String(port)}`,
    config: { rpcToken: tokenOf(caller), tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined },
    timeoutMs: 20_000,
  });
  const keep = <T extends { close: () => Promise<void> }>(client: T): T => {
    clients.push(client);
    return client;
  };
  return {
    as: (caller: string) => keep(rpcClient<CatalogServiceClient>(catalog.CatalogService, options(caller, rpcPort))),
    adminAs: (caller: string) =>
      keep(rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, options(caller, adminRpcPort))),
    close: () => Promise.all(clients.map((client) => client.close())),
  };
}

function tokenOf(caller: string): string {
  return `token-of-${caller}`;
}
