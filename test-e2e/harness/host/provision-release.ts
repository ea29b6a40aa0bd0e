/** Provisions a release as its administrator does, by the programs of deploy/tools. */
import { migrate } from '@vds/deploy-tools/migrate/migrations';
import { provisionBuckets, provisionS3Users } from '@vds/deploy-tools/provision/buckets';
import { loginOf, provisionDatabase } from '@vds/deploy-tools/provision/databases';
import type { Installation } from '@vds/deploy-tools/installation';
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import type { TlsServers } from '@vds/testkit/servers/tls-servers';

/** Databases, roles, buckets and S3 users, and every schema. */
export async function provisionRelease(
  { servers, databases }: TlsServers,
  installation: Installation,
  _dir: string,
): Promise<void> {
  const postgres = { ...servers.postgres, adminUser: databases.user, adminPassword: databases.password };
  await provisionS3Users(servers, installation);
  await provisionBuckets(servers, installation.name);
  for (const service of serviceNames.filter((name) => rowOf(name).database)) {
    await provisionDatabase({ postgres }, installation, service);
    const { url, password } = loginOf(servers, installation, service, 'owner');
    await migrate(service, `${url}?sslmode=verify-full`, password);
  }
}
