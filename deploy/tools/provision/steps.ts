/** The provisioning steps of a release: databases with their roles, S3 users, buckets and policies. */
import { provisionBuckets, provisionS3Users, bucketUsers, type BucketNames } from './buckets.ts';
import { provisionDatabase } from './databases.ts';
import { databaseName, ownerRole } from '../installation.ts';
import { bucketRoles, rowOf, serviceNames, type ServiceName } from '../services.ts';
import type { ProvisionConfig } from './config.ts';
import type { SecretFiles, RequiredKeys } from './secret-files.ts';

export type Step = { readonly what: string; readonly run: () => Promise<void> };

const withDatabase = serviceNames.filter((service) => rowOf(service).database);

/** The keys that databases and buckets need, by component. */
export function requiredKeys({ postgres, s3 }: { readonly postgres: boolean; readonly s3: boolean }): RequiredKeys {
  return new Map<ServiceName, readonly string[]>(
    serviceNames.flatMap((service) => {
      const keys = [
        ...(postgres && withDatabase.includes(service) ? ['DATABASE_PASSWORD', 'DATABASE_OWNER_PASSWORD'] : []),
        ...(s3 && bucketUsers.includes(service) ? ['S3_ACCESS_KEY', 'S3_SECRET_KEY'] : []),
      ];
      return keys.length > 0 ? [[service, keys] as const] : [];
    }),
  );
}

/** The steps in order: policies name users, so users come before buckets. Each step is idempotent. */
export function stepsOf({ postgres, s3 }: ProvisionConfig, secrets: SecretFiles): Step[] {
  return [
    ...(postgres ? withDatabase.map((service) => databaseStep(postgres, secrets, service)) : []),
    ...(s3 ? bucketSteps(s3, secrets) : []),
  ];
}

function databaseStep(
  postgres: NonNullable<ProvisionConfig['postgres']>,
  secrets: SecretFiles,
  service: ServiceName,
): Step {
  return {
    what: `database ${databaseName('', service)} of ${ownerRole('', service)}`,
    run: () => provisionDatabase({ postgres }, secrets, service),
  };
}

function bucketSteps(s3: NonNullable<ProvisionConfig['s3']>, secrets: SecretFiles): Step[] {
  const names: BucketNames = {
    bucket: (role) => s3.buckets[role],
    user: (service) => secrets.key(service, 'S3_ACCESS_KEY'),
  };
  const users = bucketUsers.map(names.user).join(', ');
  const createUsers = { what: `S3 users ${users}`, run: () => provisionS3Users({ s3 }, secrets, names) };
  return [
    ...(s3.users === 'create' ? [createUsers] : []),
    {
      what: `buckets ${bucketRoles.map(names.bucket).join(', ')} with their policies`,
      run: () => provisionBuckets({ s3 }, '', names),
    },
  ];
}
