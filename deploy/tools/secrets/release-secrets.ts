/** Every Secret that a release of chart `vds`, and one of `vds-devdeps`, needs before it is installed; the values are new. */
import { randomBytes } from 'node:crypto';
import { bucketUsers } from '../provision/buckets.ts';
import { callerEntries, purposes, randomSecret, userName, type Household } from '../installation.ts';
import { callersOf, OPERATOR, rowOf, serviceNames, type ServiceName } from '../services.ts';
import { serverKeys } from '../provision/component-keys.ts';

export type Values = Readonly<Record<string, string>>;
/** Values by the name of their Secret. */
export type Secrets = ReadonlyMap<string, Values>;

/** What only one service has. */
const own: Partial<Record<ServiceName, () => Values>> = {
  auth: () => ({ KEY_PEPPERS: `1:${key()}`, SIGNING_KEY_SECRET: key() }),
};

/** What helm calls everything of a release of chart `vds`. */
export function fullnameOf(release: string): string {
  return (release.includes('vds') ? release : `${release}-vds`).slice(0, 40).replace(/-$/, '');
}

/** Random secrets, the same one for the same purpose: who calls and who answers must agree. */
export function newHousehold(): Household {
  const secrets = new Map<string, string>();
  return {
    name: '',
    secret: (purpose) => {
      const value = secrets.get(purpose) ?? randomSecret();
      secrets.set(purpose, value);
      return value;
    },
  };
}

/** The Secrets of chart `vds`: one for each component, and the operator's. */
export function productSecrets(fullname: string, household: Household): Secrets {
  return new Map([
    ...serviceNames.map((service) => [`${fullname}-${service}`, componentValues(household, service)] as const),
    [`${fullname}-vdsctl`, { VDSCTL_TOKEN: household.secret(purposes.token(OPERATOR)) }],
  ]);
}

function componentValues(household: Household, service: ServiceName): Values {
  const { peers, doors } = rowOf(service);
  return {
    ...Object.fromEntries([...serverKeys(service)].map(([name, purpose]) => [name, household.secret(purpose)])),
    ...(bucketUsers.includes(service) && { S3_ACCESS_KEY: userName('', service) }),
    ...(peers.length > 0 && { RPC_TOKEN: household.secret(purposes.token(service)) }),
    ...(doors.includes('rpc') && { RPC_CALLERS: callerEntries(household, callersOf(service)) }),
    ...own[service]?.(),
  };
}

/** The administrators of the servers of chart `vds-devdeps`. */
export function adminSecrets(release: string): Secrets {
  return new Map([
    [
      `${release}-admin`,
      {
        'postgres-password': randomSecret(),
        's3-access-key': 'root',
        's3-secret-key': randomSecret(),
        'nats-sys-password': randomSecret(),
      },
    ],
  ]);
}

function key(): string {
  return randomBytes(32).toString('base64');
}
