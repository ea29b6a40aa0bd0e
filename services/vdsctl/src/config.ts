/** Where vdsctl connects and with which token: from the environment, or from the file of `--env`. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { httpUrl, optional, readConfig, secret, text, type ConfigOf } from '@vds/chassis/config/config';
import { AppError, messageOf } from '@vds/chassis/errors';
import { durableConsumers } from '@vds/proto/events';

export type Environment = Readonly<Record<string, string | undefined>>;
export type ConnectionConfig = ConfigOf<typeof spec> & {
  /** The admin address of each service; undefined if none is set. */
  readonly addresses: Readonly<Record<string, string | undefined>>;
};

/** The services with an admin port: auth, and those that consume events. */
export const adminServices: readonly string[] = ['auth', ...durableConsumers];

const addressSpec = Object.fromEntries(
  adminServices.map((service) => [service, [addressVariable(service), optional(text)] as const]),
);

const spec = {
  rpcToken: ['VDSCTL_TOKEN', secret],
  playbackUrl: ['PLAYBACK_PUBLIC_URL', optional(httpUrl)],
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
    return { ...readConfig(spec, merged), addresses: readConfig(addressSpec, merged) };
  } catch (error) {
    throw new AppError(
      'INVALID_ARGUMENT',
      `${messageOf(error)}\nSet VDSCTL_TOKEN and the addresses that --help lists, or pass a file that sets them with --env (while 'npm run demo' runs: .vds/demo/stack/vdsctl.env)`,
    );
  }
}

/** The variable that holds the admin address of a service. */
export function addressVariable(service: string): string {
  return `VDSCTL_${service.toUpperCase()}`;
}

function withFile(environment: Environment, file: string | undefined): Environment {
  if (file === undefined) return environment;
  try {
    return { ...environment, ...parseEnv(readFileSync(file, 'utf8')) };
  } catch (error) {
    throw new AppError('INVALID_ARGUMENT', `cannot read the file of --env: ${messageOf(error)}`, { cause: error });
  }
}
