/** Where vdsctl connects and with which token: from the environment, or from the file of `--env`. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { optional, readConfig, secret, text, type ConfigOf } from '@vds/chassis/config/config';
import { AppError, messageOf } from '@vds/chassis/errors';

export type Environment = Readonly<Record<string, string | undefined>>;
export type ConnectionConfig = ConfigOf<typeof spec>;
export type AdminService = keyof typeof ADDRESS_VARIABLES;

/** The variable that holds each service's admin address. */
export const ADDRESS_VARIABLES = {
  auth: 'VDSCTL_AUTH',
  catalog: 'VDSCTL_CATALOG',
  ingest: 'VDSCTL_INGEST',
  transcode: 'VDSCTL_TRANSCODE',
  captions: 'VDSCTL_CAPTIONS',
  metadata: 'VDSCTL_METADATA',
  indexer: 'VDSCTL_INDEXER',
} as const;

const spec = {
  auth: [ADDRESS_VARIABLES.auth, optional(text)],
  catalog: [ADDRESS_VARIABLES.catalog, optional(text)],
  ingest: [ADDRESS_VARIABLES.ingest, optional(text)],
  transcode: [ADDRESS_VARIABLES.transcode, optional(text)],
  captions: [ADDRESS_VARIABLES.captions, optional(text)],
  metadata: [ADDRESS_VARIABLES.metadata, optional(text)],
  indexer: [ADDRESS_VARIABLES.indexer, optional(text)],
  rpcToken: ['VDSCTL_TOKEN', secret],
  tlsCertFile: ['TLS_CERT_FILE', optional(text)],
  tlsKeyFile: ['TLS_KEY_FILE', optional(text)],
  tlsCaFile: ['TLS_CA_FILE', optional(text)],
} as const;

/**
 * Reads the addresses, the token and the TLS files.
 * @param file one `NAME=value` a line; overrides the environment
 * @throws AppError INVALID_ARGUMENT that names what is missing
 */
export function readConnectionConfig(environment: Environment, file: string | undefined): ConnectionConfig {
  const merged = withFile(environment, file);
  try {
    return readConfig(spec, merged);
  } catch (error) {
    throw new AppError(
      'INVALID_ARGUMENT',
      `${messageOf(error)}\nSet VDSCTL_TOKEN and the addresses that --help lists, or pass a file that sets them with --env`,
    );
  }
}

function withFile(environment: Environment, file: string | undefined): Environment {
  if (file === undefined) return environment;
  try {
    return { ...environment, ...parseEnv(readFileSync(file, 'utf8')) };
  } catch (error) {
    throw new AppError('INVALID_ARGUMENT', `cannot read the file of --env: ${messageOf(error)}`, { cause: error });
  }
}
