/** Which keys the Secret of a component has: the ones that chart `vds` reads and, for a database, the owner's password. */
import { purposes } from '../house/names.ts';
import { usesEvents } from '../house/nats-account.ts';
import { bucketUsers } from '../house/buckets.ts';
import { rowOf, type ServiceName } from '../house/services.ts';

/** Keys that only one component has; each holds 32 random bytes in base64, peppers with their number before them. */
const OWN_KEYS: Partial<Record<ServiceName, readonly string[]>> = { auth: ['KEY_PEPPERS', 'SIGNING_KEY_SECRET'] };

/** Keys of the passwords that the servers must know too, with the purpose of each. */
export const serverKeys = (service: ServiceName): ReadonlyMap<string, string> =>
  new Map([
    ...(rowOf(service).database
      ? ([
          ['DATABASE_PASSWORD', purposes.runtime(service)],
          ['DATABASE_OWNER_PASSWORD', purposes.owner(service)],
        ] as const)
      : []),
    ...(usesEvents(service) ? ([['NATS_PASSWORD', purposes.nats(service)]] as const) : []),
    ...(bucketUsers.includes(service) ? ([['S3_SECRET_KEY', purposes.s3(service)]] as const) : []),
  ]);

export const ownKeys = (service: ServiceName): readonly string[] => OWN_KEYS[service] ?? [];
