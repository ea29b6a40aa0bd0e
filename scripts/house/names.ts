/**
 * How everything is called that a house, or a release in a cluster, has on its servers, and what each of its secrets is for.
 * Nothing here keeps anything: a house's secrets are in its folder (state.ts), a release's in Kubernetes.
 */
import { createHash } from 'node:crypto';
import { bucketRoles, OPERATOR, serviceNames, type BucketRole, type ServiceName } from './services.ts';

/** Who is at home: '' is the only one without a prefix, and what a release in a cluster is. */
export type Household = {
  readonly name: string;
  readonly secret: (purpose: string) => string;
};

/** Names on the servers. */
export const databaseName = (house: string, service: ServiceName): string =>
  house === '' ? service : `${house}_${service}`;
export const runtimeRole = (house: string, service: ServiceName): string => databaseName(house, service);
export const ownerRole = (house: string, service: ServiceName): string => `${databaseName(house, service)}_owner`;
export const bucketName = (house: string, role: BucketRole): string => (house === '' ? role : `${house}-${role}`);
/** S3 access key and NATS user of a service. */
export const userName = (house: string, service: ServiceName): string =>
  house === '' ? service : `${house}-${service}`;
/** What the names of the house's search indexes begin with. */
export const indexPrefix = (house: string): string => (house === '' ? 'vds-' : `${house}-`);
export const accountName = (house: string): string => `house${house === '' ? '' : `-${house}`}`;

/** Purposes of the secrets. */
export const purposes = {
  owner: (service: ServiceName): string => `database owner of ${service}`,
  runtime: (service: ServiceName): string => `database user of ${service}`,
  nats: (service: ServiceName): string => `NATS user of ${service}`,
  s3: (service: ServiceName): string => `S3 key of ${service}`,
  token: (caller: string): string => `service token of ${caller}`,
  own: (service: ServiceName, what: string): string => `${what} of ${service}`,
};

/** The tokens of every service and of the operator. */
export const tokensOf = (household: Household): Record<ServiceName | typeof OPERATOR, string> => {
  const entries = [...serviceNames, OPERATOR].map((caller) => [caller, household.secret(purposes.token(caller))]);
  return Object.fromEntries(entries) as Record<ServiceName | typeof OPERATOR, string>;
};

/** `caller=<sha256 hex of its token>` entries for RPC_CALLERS. */
export const callerEntries = (household: Household, callers: readonly string[]): string =>
  callers
    .map(
      (caller) =>
        `${caller}=${createHash('sha256')
          .update(household.secret(purposes.token(caller)))
          .digest('hex')}`,
    )
    .join(',');

/** Every bucket of the house. */
export const bucketsOf = (house: string): Record<BucketRole, string> =>
  Object.fromEntries(bucketRoles.map((role) => [role, bucketName(house, role)])) as Record<BucketRole, string>;
