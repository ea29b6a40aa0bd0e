/** The environment of the provisioning tool. A server without an address is skipped. */
import {
  choice,
  duration,
  integer,
  optional,
  readConfig,
  secret,
  text,
  url,
  withDefault,
} from '@vds/chassis/config/config';
import { connectionOf } from '@vds/chassis/database/connection';
import type { PostgresServer } from './databases.ts';
import type { S3Server } from './s3-admin.ts';
import { readNames, type Names } from './names.ts';
import { PREVIOUS } from './secret-files.ts';

type ProvisionedS3 = S3Server & {
  /** Whether users are created (by versitygw's own API) or exist already (any other S3). */
  readonly users: 'create' | 'existing';
  /** Whether bucket policies are set: only if the storage names users as principals, which AWS does not. */
  readonly policies: 'user-names' | 'none';
};

export type ProvisionConfig = {
  readonly names: Names;
  readonly secretsDir: string | undefined;
  /** The Secrets of users that are being replaced. */
  readonly previousSecretsDir: string | undefined;
  readonly waitMs: number;
  readonly postgres: PostgresServer['postgres'] | undefined;
  readonly s3: ProvisionedS3 | undefined;
  /** Waited for, not changed. */
  readonly natsMonitorUrl: string | undefined;
  readonly opensearchUrl: string | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

const common = {
  secretsDir: ['SECRETS_DIR', optional(text)],
  previousSecretsDir: [PREVIOUS, optional(text)],
  waitMs: ['WAIT', withDefault(duration, 300_000)],
  natsMonitorUrl: ['NATS_MONITOR_URL', optional(url)],
  opensearchUrl: ['OPENSEARCH_URL', optional(url)],
} as const;

const postgresSpec = {
  host: ['POSTGRES_HOST', text],
  port: ['POSTGRES_PORT', withDefault(integer(1, 65_535), 5432)],
  maintenanceDatabase: ['POSTGRES_DATABASE', withDefault(text, 'postgres')],
  adminUser: ['POSTGRES_USER', text],
  adminPassword: ['POSTGRES_PASSWORD', secret],
  sslMode: [
    'POSTGRES_SSLMODE',
    withDefault(choice('disable', 'require', 'verify-ca', 'verify-full'), 'disable' as const),
  ],
} as const;

const s3Spec = {
  endpoint: ['S3_ENDPOINT', url],
  region: ['S3_REGION', withDefault(text, 'us-east-1')],
  rootAccessKey: ['S3_ACCESS_KEY', secret],
  rootSecretKey: ['S3_SECRET_KEY', secret],
  users: ['S3_USERS', withDefault(choice('create', 'existing'), 'create' as const)],
  policies: ['S3_POLICIES', optional(choice('user-names', 'none'))],
} as const;

/** @throws Error that names every invalid variable, or that there is nothing to provision */
export function readProvisionConfig(environment: Environment): ProvisionConfig {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  if (!isSet('POSTGRES_HOST') && !isSet('S3_ENDPOINT'))
    throw new Error('nothing to provision: set POSTGRES_HOST for databases, S3_ENDPOINT for buckets, or both');
  return {
    ...readConfig(common, environment),
    names: readNames(environment),
    postgres: isSet('POSTGRES_HOST') ? postgresOf(environment) : undefined,
    s3: isSet('S3_ENDPOINT') ? s3Of(environment) : undefined,
  };
}

function postgresOf(environment: Environment): ProvisionConfig['postgres'] {
  const { sslMode, ...server } = readConfig(postgresSpec, environment);
  // The modes mean the same as for services.
  return { ...server, ssl: connectionOf(`postgresql://any/?sslmode=${sslMode}`).ssl };
}

function s3Of(environment: Environment): ProvisionedS3 {
  const { policies, ...server } = readConfig(s3Spec, environment);
  return { ...server, policies: policies ?? (server.users === 'create' ? 'user-names' : 'none') };
}
