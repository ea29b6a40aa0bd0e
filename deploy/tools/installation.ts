/**
 * Names on the servers and purposes of the secrets of one installation: a stack on this machine, or a release in a cluster.
 * Stores nothing: a stack keeps its secrets in its folder, a release in Kubernetes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { natsPrefix } from '@vds/chassis/bus/names';
import type { Reader } from '@vds/chassis/config/config';
import { APPS, bucketRoles, OPERATOR, serviceNames, type BucketRole, type ServiceName } from './services.ts';

/** One installation of the product. A release in a cluster has the name '', and no prefix on the servers. */
export type Installation = {
  readonly name: string;
  readonly secret: (purpose: string) => string;
};

/** The purpose identifies a secret: caller and callee look up the same one. */
export const purposes = {
  owner: (service: ServiceName): string => `database owner of ${service}`,
  runtime: (service: ServiceName): string => `database user of ${service}`,
  nats: (service: ServiceName): string => `NATS user of ${service}`,
  s3: (service: ServiceName): string => `S3 key of ${service}`,
  token: (caller: string): string => `service token of ${caller}`,
  own: (service: ServiceName, what: string): string => `${what} of ${service}`,
};

/** A random secret of 32 characters that needs no quoting in any configuration file. */
export function randomSecret(): string {
  return randomBytes(24).toString('base64url');
}

export function runtimeRole(prefix: string, service: ServiceName): string {
  return databaseName(prefix, service);
}

/** Database names need no quotes: dashes of the prefix become underscores. */
export function databaseName(prefix: string, service: ServiceName): string {
  return prefix === '' ? service : `${prefix.replaceAll('-', '_')}_${service}`;
}

export function ownerRole(prefix: string, service: ServiceName): string {
  return `${databaseName(prefix, service)}_owner`;
}

/** The S3 access key and NATS user of a service. */
export function userName(prefix: string, service: ServiceName): string {
  return prefix === '' ? service : `${prefix}-${service}`;
}

/** The prefix of the search indexes of an installation without a prefix. */
const DEFAULT_INDEXES = 'vds';

/** The prefix of an installation; '' for none. */
export const installationPrefix: Reader<string> = (value, name) => {
  const prefix = natsPrefix(value, name);
  if (prefix !== DEFAULT_INDEXES) return prefix;
  throw new Error(`${name} must not be '${prefix}': the indexes of an installation without a prefix begin with it`);
};

/** The prefix of the installation's search indexes. */
export function indexPrefix(prefix: string): string {
  return `${prefix === '' ? DEFAULT_INDEXES : prefix}-`;
}

export function accountName(prefix: string): string {
  return `stack${prefix === '' ? '' : `-${prefix}`}`;
}

export type Caller = ServiceName | typeof OPERATOR | typeof APPS;

/** The tokens of every caller: services, the operator and the platform's apps. */
export function tokensOf(installation: Installation): Record<Caller, string> {
  const callers = [...serviceNames, OPERATOR, APPS];
  const entries = callers.map((caller) => [caller, installation.secret(purposes.token(caller))]);
  return Object.fromEntries(entries) as Record<Caller, string>;
}

/** `caller=<sha256 hex of its token>` entries for RPC_CALLERS. */
export function callerEntries(installation: Installation, callers: readonly string[]): string {
  return callers
    .map(
      (caller) =>
        `${caller}=${createHash('sha256')
          .update(installation.secret(purposes.token(caller)))
          .digest('hex')}`,
    )
    .join(',');
}

/** The name of every bucket. */
export function bucketsOf(prefix: string): Record<BucketRole, string> {
  return Object.fromEntries(bucketRoles.map((role) => [role, bucketName(prefix, role)])) as Record<BucketRole, string>;
}

export function bucketName(prefix: string, role: BucketRole): string {
  return prefix === '' ? role : `${prefix}-${role}`;
}
