/** Provisions a release as its administrator does: by the program, with the release's Secrets as files, and migrations. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userName, type Installation } from '@vds/deploy-tools/installation';
import { migrate } from '@vds/deploy-tools/migrate/migrations';
import { serverKeys } from '@vds/deploy-tools/provision/component-keys';
import { loginOf } from '@vds/deploy-tools/provision/databases';
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { run } from '@vds/testkit/servers/command';
import type { TlsServers } from '@vds/testkit/servers/tls-servers';

const program = fileURLToPath(new URL('../../../deploy/tools/provision/main.ts', import.meta.url));

/** @param dir a folder for the Secrets */
export async function provisionRelease(tls: TlsServers, installation: Installation, dir: string): Promise<void> {
  const { caFile, databases, servers } = tls;
  const { postgres, s3 } = servers;
  await writeSecrets(installation, dir);
  const env = {
    PATH: process.env['PATH'],
    NODE_EXTRA_CA_CERTS: caFile,
    PREFIX: installation.name,
    SECRETS_DIR: dir,
    POSTGRES_HOST: postgres.host,
    POSTGRES_PORT: String(postgres.port),
    POSTGRES_SSLMODE: 'verify-full',
    POSTGRES_USER: databases.user,
    POSTGRES_PASSWORD: databases.password,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY: s3.rootAccessKey,
    S3_SECRET_KEY: s3.rootSecretKey,
  };
  await run(process.execPath, [program], { env });
  for (const service of serviceNames.filter((name) => rowOf(name).database)) {
    const { url, password } = loginOf(servers, installation, service, 'owner');
    await migrate(service, `${url}?sslmode=verify-full`, password);
  }
}

async function writeSecrets(installation: Installation, dir: string): Promise<void> {
  for (const service of serviceNames) {
    await mkdir(join(dir, service), { recursive: true });
    const passwords = [...serverKeys(service)].map(([key, purpose]) => [key, installation.secret(purpose)] as const);
    for (const [key, value] of [...passwords, ['S3_ACCESS_KEY', userName(installation.name, service)] as const])
      await writeFile(join(dir, service, key), value, { mode: 0o600 });
  }
}
