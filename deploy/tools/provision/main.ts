/**
 * Creates what a release needs on its servers, as their administrator; idempotent, removes nothing:
 * each service's database with an owner and a runtime role, S3 users, buckets and their policies.
 *   SECRETS_DIR=/etc/vds/components POSTGRES_HOST=… POSTGRES_USER=… POSTGRES_PASSWORD=file:… S3_ENDPOINT=… \
 *     S3_ACCESS_KEY=… S3_SECRET_KEY=file:… node deploy/tools/provision/main.ts
 * SECRETS_DIR holds the components' Secrets, `<component>/<key>`. Without POSTGRES_HOST it creates no databases, without
 * S3_ENDPOINT no buckets; all variables are in config.ts and names.ts. Exit code 1 with one sentence on failure.
 *   node deploy/tools/provision/main.ts print iam | iam --trust | sql | nats | opensearch
 * prints the same for administrators to apply themselves; needs no server. Exit code 2 for wrong usage.
 *   node deploy/tools/provision/main.ts grant | revoke <organization id>
 * gives an organization read access to its own files of performance data, and prints how to connect; takes it away.
 */
import { messageOf } from '@vds/chassis/errors';
import { grantOrganization, revokeOrganization } from './analytics-grants.ts';
import { readProvisionConfig, type ProvisionConfig } from './config.ts';
import { printed, targets } from './print/print.ts';
import { keysOf, stepsOf } from './steps.ts';
import { readSecretFiles } from './secret-files.ts';
import { httpProbe, postgresProbe, waitForServer, type ServerProbe } from './wait-for-server.ts';

const USAGE = `usage: node deploy/tools/provision/main.ts [print ${targets.join(' | ')} | grant <organization id> | revoke <organization id>]`;

try {
  const args = process.argv.slice(2);
  const [verb = '', organizationId = '', ...rest] = args;
  if (args.length === 0) await provision();
  else if (['grant', 'revoke'].includes(verb) && organizationId !== '' && rest.length === 0)
    await changeAccess(verb, organizationId);
  else print(args);
} catch (error) {
  process.stderr.write(`provision: ${messageOf(error)}\n`);
  // Probes of other servers may still be pending.
  process.exit(1);
}

async function provision(): Promise<void> {
  const config = readProvisionConfig(process.env);
  const steps = stepsOf(config, readSecretFiles(config.secretsDir, keysOf(config), config.names.prefix));
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

async function changeAccess(verb: string, organizationId: string): Promise<void> {
  const { s3, names } = readProvisionConfig(process.env);
  if (!s3) throw new Error('S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY name the storage and its administrator');
  const grantee = { organizationId, prefix: names.prefix, bucket: names.bucket('analytics') };
  if (verb === 'grant') process.stdout.write(`${await grantOrganization({ s3 }, grantee)}\n`);
  else {
    await revokeOrganization({ s3 }, grantee);
    log(`${organizationId} has no access to files any more`);
  }
}

function print([verb, ...target]: readonly string[]): void {
  const text = verb === 'print' ? printed(target.join(' '), process.env) : undefined;
  if (text !== undefined) process.stdout.write(text);
  else {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
  }
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
