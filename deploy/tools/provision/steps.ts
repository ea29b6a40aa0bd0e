/** The provisioning steps of a release: databases with their roles, S3 users, buckets and policies. */
import { provisionBuckets, provisionPolicies, provisionS3Users, bucketUsers, type BucketNames } from './buckets.ts';
import { provisionDatabase } from './databases.ts';
import { bucketRoles, serviceNames, type ServiceName } from '../services.ts';
import type { ProvisionConfig } from './config.ts';
import type { Names } from './names.ts';
import { readSecretFiles, type SecretFiles, type RequiredKeys } from './secret-files.ts';

export type Step = { readonly what: string; readonly run: () => Promise<void> };

/** The keys that databases and buckets need, by component. */
export function requiredKeys({
  databases,
  s3,
}: {
  readonly databases: Iterable<ServiceName>;
  readonly s3: boolean;
}): RequiredKeys {
  const stored = new Set(databases);
  return new Map<ServiceName, readonly string[]>(
    serviceNames.flatMap((service) => {
      const keys = [
        ...(stored.has(service) ? ['DATABASE_PASSWORD', 'DATABASE_OWNER_PASSWORD'] : []),
        ...(s3 && bucketUsers.includes(service) ? ['S3_ACCESS_KEY', 'S3_SECRET_KEY'] : []),
      ];
      return keys.length > 0 ? [[service, keys] as const] : [];
    }),
  );
}

/** The keys that the steps of this configuration read: only policies need the names of existing users. */
export function keysOf({ names, postgres, s3 }: ProvisionConfig): RequiredKeys {
  const namesUsers = s3 !== undefined && (s3.users === 'create' || s3.policies === 'user-names');
  return requiredKeys({ databases: postgres ? names.databases.keys() : [], s3: namesUsers });
}

/** The steps in order: policies name users, so users come before buckets. Each step is idempotent. */
export function stepsOf({ names, postgres, s3, previousSecretsDir }: ProvisionConfig, secrets: SecretFiles): Step[] {
  const previousUser = s3?.policies === 'user-names' ? usersIn(previousSecretsDir) : undefined;
  return [
    ...(postgres ? databaseSteps(postgres, secrets, names) : []),
    ...(s3 ? bucketSteps(s3, secrets, names, previousUser) : []),
  ];
}

/** The S3 users of a folder of Secrets. */
function usersIn(folder: string | undefined): BucketNames['previousUser'] {
  if (folder === undefined) return undefined;
  const files = readSecretFiles(folder, new Map(bucketUsers.map((service) => [service, ['S3_ACCESS_KEY']])));
  return (service) => files.key(service, 'S3_ACCESS_KEY');
}

function databaseSteps(
  postgres: NonNullable<ProvisionConfig['postgres']>,
  secrets: SecretFiles,
  { databases }: Names,
): Step[] {
  return [...databases].map(([service, names]) => ({
    what: `database ${names.database} of ${names.owner}`,
    run: () => provisionDatabase({ postgres }, secrets, service, names),
  }));
}

function bucketSteps(
  s3: NonNullable<ProvisionConfig['s3']>,
  secrets: SecretFiles,
  { prefix, bucket }: Names,
  previousUser: BucketNames['previousUser'],
): Step[] {
  const names: BucketNames = { bucket, user: (service) => secrets.key(service, 'S3_ACCESS_KEY'), previousUser };
  const buckets = bucketRoles.map(names.bucket).join(', ');
  return [
    ...(s3.users === 'create'
      ? [
          {
            what: `S3 users ${bucketUsers.map(names.user).join(', ')}`,
            run: () => provisionS3Users({ s3 }, secrets, names),
          },
        ]
      : []),
    { what: `buckets ${buckets}`, run: () => provisionBuckets({ s3 }, prefix, names) },
    ...(s3.policies === 'user-names'
      ? [{ what: `policies of ${buckets}`, run: () => provisionPolicies({ s3 }, prefix, names) }]
      : []),
  ];
}
