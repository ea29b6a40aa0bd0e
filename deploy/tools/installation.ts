/**
 * How everything is called that a house, or a release in a cluster, has on its servers, and what each of its secrets is for.
 * Nothing here keeps anything: a house's secrets are in its folder (state.ts), a release's in Kubernetes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { bucketRoles, OPERATOR, serviceNames, type BucketRole, type ServiceName } from './services.ts';

/** Who is at home: '' is the only one without a prefix, and what a release in a cluster is. */
export type Household = {
  readonly name: string;
  readonly secret: (purpose: string) => string;
};

/** Purposes of the secrets. */
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

export function runtimeRole(house: string, service: ServiceName): string {
  return databaseName(house, service);
}

/** Names on the servers. */
export function databaseName(house: string, service: ServiceName): string {
  return house === '' ? service : `${house}_${service}`;
}

export function ownerRole(house: string, service: ServiceName): string {
  return `${databaseName(house, service)}_owner`;
}

/** S3 access key and NATS user of a service. */
export function userName(house: string, service: ServiceName): string {
  return house === '' ? service : `${house}-${service}`;
}

/** What the names of the house's search indexes begin with. */
export function indexPrefix(house: string): string {
  return house === '' ? 'vds-' : `${house}-`;
}

export function accountName(house: string): string {
  return `house${house === '' ? '' : `-${house}`}`;
}

/** The tokens of every service and of the operator. */
export function tokensOf(household: Household): Record<ServiceName | typeof OPERATOR, string> {
  const entries = [...serviceNames, OPERATOR].map((caller) => [caller, household.secret(purposes.token(caller))]);
  return Object.fromEntries(entries) as Record<ServiceName | typeof OPERATOR, string>;
}

/** `caller=<sha256 hex of its token>` entries for RPC_CALLERS. */
export function callerEntries(household: Household, callers: readonly string[]): string {
  return callers
    .map(
      (caller) =>
        `${caller}=${createHash('sha256')
          .update(household.secret(purposes.token(caller)))
          .digest('hex')}`,
    )
    .join(',');
}

/** Every bucket of the house. */
export function bucketsOf(house: string): Record<BucketRole, string> {
  return Object.fromEntries(bucketRoles.map((role) => [role, bucketName(house, role)])) as Record<BucketRole, string>;
}

export function bucketName(house: string, role: BucketRole): string {
  return house === '' ? role : `${house}-${role}`;
}
