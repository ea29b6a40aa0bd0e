/** The connections of one call of vdsctl: admin doors only, each opened when a verb first uses it. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { auth, captions, catalog, indexer, metadata } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import type { AuthServiceClient } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import type { CaptionsAdminClient } from '@vds/proto/generated/vds/captions/v1/CaptionsAdmin.ts';
import type { CatalogAdminClient } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { IndexerAdminClient } from '@vds/proto/generated/vds/indexer/v1/IndexerAdmin.ts';
import type { MetadataAdminClient } from '@vds/proto/generated/vds/metadata/v1/MetadataAdmin.ts';
import { optional, readConfig, secret, text } from '@vds/chassis/config/config';
import { AppError, messageOf } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { speaking } from './peers.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Session = ReturnType<typeof openSession>;

const spec = {
  auth: ['VDSCTL_AUTH', optional(text)],
  catalog: ['VDSCTL_CATALOG', optional(text)],
  captions: ['VDSCTL_CAPTIONS', optional(text)],
  metadata: ['VDSCTL_METADATA', optional(text)],
  indexer: ['VDSCTL_INDEXER', optional(text)],
  rpcToken: ['VDSCTL_TOKEN', secret],
  tlsCertFile: ['TLS_CERT_FILE', optional(text)],
  tlsKeyFile: ['TLS_KEY_FILE', optional(text)],
  tlsCaFile: ['TLS_CA_FILE', optional(text)],
} as const;

type Service = 'auth' | 'catalog' | 'captions' | 'metadata' | 'indexer';

/**
 * Reads where to go and as whom; connects to nothing yet.
 * @param file one `NAME=value` a line; wins over the environment
 * @throws AppError INVALID_ARGUMENT for what is missing
 */
export function openSession(environment: Environment, file: string | undefined) {
  const config = read(withFile(environment, file));
  const open: { close: () => Promise<void> }[] = [];
  const target = (service: Service): string => {
    const address = config[service];
    if (address === undefined)
      throw usage(`${spec[service][0]} is not set: the admin address of ${service}, such as dns:///127.0.0.1:7001`);
    return address.includes(':///') || address.startsWith('ipv4:') ? address : `dns:///${address}`;
  };
  type Door = { readonly target: string; readonly config: typeof config; readonly timeoutMs: number };
  const once = <T extends { close: () => Promise<void> }>(service: Service, connect: (at: Door) => T): (() => T) => {
    let client: T | undefined;
    return () => {
      if (client !== undefined) return client;
      const address = target(service);
      const connected = connect({ target: address, config, timeoutMs: 10_000 });
      client = speaking(connected, { service, address, variable: spec[service][0] });
      open.push(client);
      return client;
    };
  };
  return {
    /** Publishers and keys. */
    keys: once('auth', (at) => rpcClient<AuthAdminClient>(auth.AuthAdmin, at)),
    /** Playback tokens. */
    tokens: once('auth', (at) => rpcClient<AuthServiceClient>(auth.AuthService, at)),
    videos: once('catalog', (at) => rpcClient<CatalogAdminClient>(catalog.CatalogAdmin, at)),
    /** Caption tracks and the engines that make them. */
    tracks: once('captions', (at) => rpcClient<CaptionsAdminClient>(captions.CaptionsAdmin, at)),
    /** What the pictures and the words of a video are about. */
    metadata: once('metadata', (at) => rpcClient<MetadataAdminClient>(metadata.MetadataAdmin, at)),
    /** The search index. */
    index: once('indexer', (at) => rpcClient<IndexerAdminClient>(indexer.IndexerAdmin, at)),
    close: async (): Promise<void> => {
      await Promise.all(open.map((client) => client.close()));
    },
  };
}

function read(environment: Environment) {
  try {
    return readConfig(spec, environment);
  } catch (error) {
    throw usage(
      `${messageOf(error)}\nSet VDSCTL_TOKEN and the addresses that --help names, or name a file that does with --env`,
    );
  }
}

function withFile(environment: Environment, file: string | undefined): Environment {
  if (file === undefined) return environment;
  try {
    return { ...environment, ...parseEnv(readFileSync(file, 'utf8')) };
  } catch (error) {
    throw usage(`the file of --env cannot be read: ${messageOf(error)}`, error);
  }
}

/** A call that cannot be made as it was written: exit code 2. */
function usage(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_ARGUMENT', message, { cause });
}
