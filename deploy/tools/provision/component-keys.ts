/** The keys of a release's Secrets that servers must know too: those of the pods of chart `vds`, and the database owner's password. */
import { bucketUsers } from './buckets.ts';
import { purposes } from '../installation.ts';
import { usesEvents } from './nats-account.ts';
import { rowOf, type ServiceName } from '../services.ts';

/** Key of the Secret → purpose. */
export function serverKeys(service: ServiceName): ReadonlyMap<string, string> {
  return new Map([
    ...(rowOf(service).database
      ? ([
          ['DATABASE_PASSWORD', purposes.runtime(service)],
          ['DATABASE_OWNER_PASSWORD', purposes.owner(service)],
        ] as const)
      : []),
    ...(usesEvents(service) ? ([['NATS_PASSWORD', purposes.nats(service)]] as const) : []),
    ...(bucketUsers.includes(service) ? ([['S3_SECRET_KEY', purposes.s3(service)]] as const) : []),
  ]);
}
