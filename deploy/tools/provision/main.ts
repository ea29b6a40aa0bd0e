/**
 * Creates what a release needs on its servers, as their administrator; idempotent, removes nothing:
 * each service's database with an owner and a runtime role, S3 users, buckets and their policies.
 *   SECRETS_DIR=/etc/vds/components POSTGRES_HOST=… POSTGRES_USER=… POSTGRES_PASSWORD=file:… S3_ENDPOINT=… \
 *     S3_ACCESS_KEY=… S3_SECRET_KEY=file:… node deploy/tools/provision/main.ts
 * SECRETS_DIR holds the components' Secrets, `<component>/<key>`. Without POSTGRES_HOST it creates no databases, without
 * S3_ENDPOINT no buckets; all variables are in config.ts. Exit code 1 with one sentence on failure.
 */
import { messageOf } from '@vds/chassis/errors';
import { readProvisionConfig, type ProvisionConfig } from './config.ts';
import { requiredKeys, stepsOf } from './steps.ts';
import { readSecretFiles } from './secret-files.ts';
import { httpProbe, postgresProbe, waitForServer, type ServerProbe } from './wait-for-server.ts';

try {
  await main();
} catch (error) {
  process.stderr.write(`provision: ${messageOf(error)}\n`);
  // Probes of other servers may still be pending.
  process.exit(1);
}

async function main(): Promise<void> {
  const config = readProvisionConfig(process.env);
  const { postgres, s3 } = config;
  const required = requiredKeys({ postgres: postgres !== undefined, s3: s3 !== undefined });
  const steps = stepsOf(config, readSecretFiles(config.secretsDir, required));
  const waitOptions = { timeoutMs: config.waitMs, intervalMs: 1_000, log };
  await Promise.all(probesOf(config).map((probe) => waitForServer(probe, waitOptions)));
  for (const { what, run } of steps) {
    await run().catch((error: unknown) => {
      throw new Error(`${what}: ${messageOf(error)}`, { cause: error });
    });
    log(what);
  }
  log('done');
}

function log(line: string): void {
  process.stdout.write(`provision: ${line}\n`);
}

function probesOf({ postgres, s3, natsMonitorUrl, opensearchUrl }: ProvisionConfig): ServerProbe[] {
  return [
    ...(postgres ? [postgresProbe({ postgres })] : []),
    ...(s3 ? [httpProbe('S3', s3.endpoint)] : []),
    ...(natsMonitorUrl === undefined ? [] : [httpProbe('NATS', `${natsMonitorUrl}/healthz`)]),
    ...(opensearchUrl === undefined ? [] : [httpProbe('OpenSearch', `${opensearchUrl}/_cluster/health`)]),
  ];
}
