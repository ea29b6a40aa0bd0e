/**
 * Makes what the release needs on its servers, as their administrator; repeating it is safe and it removes nothing:
 * each service's database with an owner and a runtime role, S3 users, buckets and their policies.
 *   SECRETS_DIR=/etc/vds/components POSTGRES_HOST=… POSTGRES_USER=… POSTGRES_PASSWORD=file:… S3_ENDPOINT=… \
 *     S3_ACCESS_KEY=… S3_SECRET_KEY=file:… node deploy/tools/provision/main.ts
 * SECRETS_DIR holds the components' Secrets, `<component>/<key>`. Without POSTGRES_HOST no databases are made, without
 * S3_ENDPOINT no buckets; all variables are in config.ts. Exit code 1 with one sentence when it cannot.
 */
import { messageOf } from '@vds/chassis/errors';
import { readProvisionConfig, type ProvisionConfig } from './config.ts';
import { stepsOf, wantedKeys } from './steps.ts';
import { readSecretFiles } from './secret-files.ts';
import { httpAnswers, postgresAnswers, untilItAnswers, type Waited } from './wait-for-server.ts';

try {
  await main();
} catch (error) {
  process.stderr.write(`provision: ${messageOf(error)}\n`);
  // Others may still be waited for.
  process.exit(1);
}

async function main(): Promise<void> {
  const config = readProvisionConfig(process.env);
  const { postgres, s3 } = config;
  const wanted = wantedKeys({ postgres: postgres !== undefined, s3: s3 !== undefined });
  const steps = stepsOf(config, readSecretFiles(config.secretsDir, wanted));
  const patience = { capMs: config.patienceMs, everyMs: 1_000, say };
  await Promise.all(awaited(config).map((server) => untilItAnswers(server, patience)));
  for (const { what, run } of steps) {
    await run().catch((error: unknown) => {
      throw new Error(`${what}: ${messageOf(error)}`, { cause: error });
    });
    say(what);
  }
  say('everything is there');
}

function say(line: string): void {
  process.stdout.write(`provision: ${line}\n`);
}

function awaited({ postgres, s3, natsMonitorUrl, opensearchUrl }: ProvisionConfig): Waited[] {
  return [
    ...(postgres ? [postgresAnswers({ postgres })] : []),
    ...(s3 ? [httpAnswers('S3', s3.endpoint)] : []),
    ...(natsMonitorUrl === undefined ? [] : [httpAnswers('NATS', `${natsMonitorUrl}/healthz`)]),
    ...(opensearchUrl === undefined ? [] : [httpAnswers('OpenSearch', `${opensearchUrl}/_cluster/health`)]),
  ];
}
