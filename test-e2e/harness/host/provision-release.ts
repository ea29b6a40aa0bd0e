/** Provisions a release as its administrator does: by the program, with the release's Secrets as files, and migrations. */
import { fileURLToPath } from 'node:url';
import type { Installation } from '@vds/deploy-tools/installation';
import { migrate } from '@vds/deploy-tools/migrate/migrations';
import { loginOf } from '@vds/deploy-tools/provision/databases';
import { writeComponentFolder } from '@vds/deploy-tools/secrets/component-folder';
import { productSecrets } from '@vds/deploy-tools/secrets/release-secrets';
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { run } from '@vds/testkit/servers/command';
import type { Environment } from '@vds/testkit/stack/environment';
import type { TlsServers } from '@vds/testkit/servers/tls-servers';

const program = fileURLToPath(new URL('../../../deploy/tools/provision/main.ts', import.meta.url));

/** @param dir a new folder for the Secrets */
export async function provisionRelease(tls: TlsServers, installation: Installation, dir: string): Promise<void> {
  const { servers } = tls;
  writeComponentFolder(dir, installation.name, productSecrets(installation.name, installation));
  const env = { ...provisionEnvironment(tls), PATH: process.env['PATH'], PREFIX: installation.name, SECRETS_DIR: dir };
  await run(process.execPath, [program], { env });
  for (const service of serviceNames.filter((name) => rowOf(name).database)) {
    const { url, password } = loginOf(servers, installation, service, 'owner');
    await migrate(service, `${url}?sslmode=verify-full`, password);
  }
}

/** The variables of the program for these servers and their administrators. */
export function provisionEnvironment({ caFile, databases, servers }: TlsServers): Environment {
  const { postgres, s3 } = servers;
  return {
    NODE_EXTRA_CA_CERTS: caFile,
    POSTGRES_HOST: postgres.host,
    POSTGRES_PORT: String(postgres.port),
    POSTGRES_SSLMODE: 'verify-full',
    POSTGRES_USER: databases.user,
    POSTGRES_PASSWORD: databases.password,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY: s3.rootAccessKey,
    S3_SECRET_KEY: s3.rootSecretKey,
  };
}
