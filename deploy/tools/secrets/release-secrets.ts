/** Every Secret that a release of chart `vds`, and one of `vds-devdeps`, needs before its installation, with new values. */
import { randomBytes } from 'node:crypto';
import { bucketUsers } from '../provision/buckets.ts';
import { callerEntries, purposes, randomSecret, userName, type Installation } from '../installation.ts';
import { APPS, callersOf, OPERATOR, rowOf, serviceNames, servesRpc, type ServiceName } from '../services.ts';
import { serverKeys } from '../provision/component-keys.ts';

export type Values = Readonly<Record<string, string>>;
/** Values by the name of their Secret. */
export type Secrets = ReadonlyMap<string, Values>;

/** Keys of a single service. */
const extraKeys: Partial<Record<ServiceName, () => Values>> = {
  auth: () => ({ KEY_PEPPERS: `1:${key()}`, SIGNING_KEY_SECRET: key() }),
};

/** The full name that Helm gives the resources of a release of chart `vds`. */
export function fullnameOf(release: string): string {
  return (release.includes('vds') ? release : `${release}-vds`).slice(0, 40).replace(/-$/, '');
}

/**
 * Random secrets, one per purpose: caller and callee need the same one.
 * @param name the prefix of the installation
 */
export function newInstallation(name = ''): Installation {
  const secrets = new Map<string, string>();
  return {
    name,
    secret: (purpose) => {
      const value = secrets.get(purpose) ?? randomSecret();
      secrets.set(purpose, value);
      return value;
    },
  };
}

/** The Secrets of chart `vds`: one per component, that of vdsctl, and that of the platform's apps. */
export function productSecrets(fullname: string, installation: Installation): Secrets {
  return new Map([
    ...serviceNames.map((service) => [`${fullname}-${service}`, componentValues(installation, service)] as const),
    [`${fullname}-vdsctl`, { VDSCTL_TOKEN: installation.secret(purposes.token(OPERATOR)) }],
    [`${fullname}-apps`, { APPS_TOKEN: installation.secret(purposes.token(APPS)) }],
  ]);
}

function componentValues(installation: Installation, service: ServiceName): Values {
  const { peers } = rowOf(service);
  return {
    ...Object.fromEntries([...serverKeys(service)].map(([name, purpose]) => [name, installation.secret(purpose)])),
    ...(bucketUsers.includes(service) && { S3_ACCESS_KEY: userName(installation.name, service) }),
    ...(peers.length > 0 && { RPC_TOKEN: installation.secret(purposes.token(service)) }),
    ...(servesRpc(service) && { RPC_CALLERS: callerEntries(installation, callersOf(service)) }),
    ...extraKeys[service]?.(),
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
