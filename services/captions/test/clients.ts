/** The service's two RPC endpoints, as their callers open them. */
import { captions } from '@vds/proto';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import type { Worker } from './harness.ts';

const tls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };

export async function tracksOf(worker: Worker, videoId: string, caller = 'indexer') {
  const client = rpcClient(captions.CaptionsService, {
    target: `127.0.0.1:${worker.ports.rpc}`,
    config: configOf(caller),
  });
  try {
    return await client.GetTracks({ videoId });
  } finally {
    await client.close();
  }
}

function configOf(caller: string) {
  return { rpcToken: tokenOf(caller), ...tls };
}

export async function withAdminClient<T>(
  worker: Worker,
  work: (client: ReturnType<typeof open>) => Promise<T>,
): Promise<T> {
  const client = open(worker);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

function open(worker: Worker) {
  return rpcClient(captions.CaptionsAdmin, {
    target: `127.0.0.1:${worker.ports.adminRpc}`,
    config: configOf('vdsctl'),
    timeoutMs: 10_000,
  });
}

/** The status code that a call was rejected with. */
export async function rejectionCode(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}
