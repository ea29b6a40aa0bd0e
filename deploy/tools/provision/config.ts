/** The environment of the provisioning tool. A server without an address is left alone. */
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
import type { PostgresServer } from './databases.ts';
import type { S3Server } from './s3-admin.ts';
import type { BucketRole } from '../services.ts';

type ProvisionedS3 = S3Server & {
  readonly buckets: Readonly<Record<BucketRole, string>>;
  /** Whether users are created (by versitygw's own API) or exist already (any other S3). */
  readonly users: 'create' | 'existing';
};

export type ProvisionConfig = {
  readonly secretsDir: string;
  readonly waitMs: number;
  readonly postgres: PostgresServer['postgres'] | undefined;
  readonly s3: ProvisionedS3 | undefined;
  /** Waited for, not changed. */
  readonly natsMonitorUrl: string | undefined;
  readonly opensearchUrl: string | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

const common = {
  secretsDir: ['SECRETS_DIR', text],
  waitMs: ['WAIT', withDefault(duration, 300_000)],
  natsMonitorUrl: ['NATS_MONITOR_URL', optional(url)],
  opensearchUrl: ['OPENSEARCH_URL', optional(url)],
} as const;

const postgresSpec = {
  host: ['POSTGRES_HOST', text],
  port: ['POSTGRES_PORT', withDefault(integer(1, 65_535), 5432)],
  adminUser: ['POSTGRES_USER', text],
  adminPassword: ['POSTGRES_PASSWORD', secret],
  sslMode: ['POSTGRES_SSLMODE', optional(choice('require'))],
} as const;

const s3Spec = {
  endpoint: ['S3_ENDPOINT', url],
  region: ['S3_REGION', withDefault(text, 'us-east-1')],
  rootAccessKey: ['S3_ACCESS_KEY', secret],
  rootSecretKey: ['S3_SECRET_KEY', secret],
  users: ['S3_USERS', withDefault(choice('create', 'existing'), 'create' as const)],
  sources: ['SOURCES_BUCKET', withDefault(text, 'sources')],
  media: ['MEDIA_BUCKET', withDefault(text, 'media')],
  captions: ['CAPTIONS_BUCKET', withDefault(text, 'captions')],
} as const;

/** @throws Error that names every invalid variable, or says that there is nothing to provision */
export function readProvisionConfig(environment: Environment): ProvisionConfig {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  if (!isSet('POSTGRES_HOST') && !isSet('S3_ENDPOINT'))
    throw new Error('nothing to provision: set POSTGRES_HOST for databases, S3_ENDPOINT for buckets, or both');
  return {
    ...readConfig(common, environment),
    postgres: isSet('POSTGRES_HOST') ? postgresOf(environment) : undefined,
    s3: isSet('S3_ENDPOINT') ? s3Of(environment) : undefined,
  };
}

function postgresOf(environment: Environment): ProvisionConfig['postgres'] {
  const { sslMode, ...server } = readConfig(postgresSpec, environment);
  return { ...server, ...(sslMode === 'require' && { ssl: true }) };
}

function s3Of(environment: Environment): ProvisionedS3 {
  const { sources, media, captions, ...server } = readConfig(s3Spec, environment);
  return { ...server, buckets: { sources, media, captions } };
}
