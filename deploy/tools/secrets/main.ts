/**
 * Prints the Secrets that a release needs, as manifests with new random values; nothing else knows them afterwards.
 *   npm run --silent secrets -- --release vds [--devdeps deps] [--namespace ns] [--tls] [--out <file>]
 * With `--out` they are written to a new file that only its owner can read. `--devdeps` names the release of chart
 * vds-devdeps, whose administrators are then among them; `--tls` adds certificates for trying mTLS, 30 days long.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '@vds/chassis/errors';
import { adminSecrets, fullnameOf, newHousehold, productSecrets, type Secrets } from './release-secrets.ts';
import { manifestsOf } from './manifests.ts';
import { tlsSecrets } from './tls-secrets.ts';

const USAGE =
  'usage: npm run --silent secrets -- --release <name> [--devdeps <name>] [--namespace <name>] [--tls] [--out <file>]';

const options = {
  release: { type: 'string' },
  devdeps: { type: 'string' },
  namespace: { type: 'string' },
  tls: { type: 'boolean', default: false },
  out: { type: 'string' },
} as const;

type Asked = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

try {
  await main();
} catch (error) {
  say(messageOf(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.release === undefined) throw new Error(USAGE);
  for (const option of ['release', 'devdeps', 'namespace'] as const) checkName(option, values[option]);
  const text = manifestsOf(await secretsOf(values.release, values), values.namespace);
  if (values.out === undefined) process.stdout.write(text);
  else writeNew(values.out, text);
  explain(values.release, values);
}

/** What Kubernetes and Helm take as a name. */
function checkName(option: string, name: string | undefined): void {
  if (name !== undefined && !/^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/.test(name))
    throw new Error(`--${option} must be lowercase letters, digits and dashes, at most 53; got '${name}'`);
}

async function secretsOf(release: string, { devdeps, namespace, tls }: Asked): Promise<Secrets> {
  const fullname = fullnameOf(release);
  return new Map([
    ...productSecrets(fullname, newHousehold()),
    ...(devdeps === undefined ? [] : adminSecrets(devdeps)),
    ...(tls ? await tlsSecrets(fullname, namespace) : []),
  ]);
}

/** Never over a file that is there: running servers may know its values. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!existsSync(file)) throw error;
    throw new Error(`${file} is there already and may be in use; name another one, or remove it.`, { cause: error });
  }
}

function explain(release: string, { devdeps, namespace, tls, out }: Asked): void {
  const where = namespace === undefined ? '' : ` --namespace ${namespace}`;
  const fullname = fullnameOf(release);
  const lines = [
    'Next, with these in the cluster before the charts:',
    // Never `apply`: over Secrets that are there it would put new peppers, and every API key would be lost.
    `  kubectl create --filename ${out ?? '<this output>'}`,
    ...(devdeps === undefined
      ? []
      : [`  helm install ${devdeps} charts/vds-devdeps${where} --set vdsFullname=${fullname} --wait --timeout 15m`]),
    `  helm install ${release} charts/vds${where} --values <yours>${tls ? ' --set tls.enabled=true' : ''} --wait --timeout 15m`,
    "Keep them where secrets are kept: data folders and partners' keys depend on the values, and nothing can tell them again.",
    ...(devdeps === undefined
      ? [
          'Your PostgreSQL, NATS and S3 must know the same passwords: deploy/tools/provision/main.ts makes roles and buckets with them.',
          `Where your OpenSearch asks for a user, add OPENSEARCH_PASSWORD to ${fullname}-indexer.`,
        ]
      : []),
    ...(tls ? [] : ['No certificates are among them; --tls adds some for trying mTLS.']),
  ];
  for (const line of lines) say(line);
}

/** Standard output is for the manifests. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
