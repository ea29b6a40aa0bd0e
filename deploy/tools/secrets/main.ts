/**
 * Prints the Secrets that a release needs, as manifests with new random values, and stores them nowhere else.
 *   npm run --silent secrets -- --release vds [--devdeps deps] [--namespace ns] [--prefix p] [--no-tls] [--out <file>]
 * [--dir <folder>] `--out` writes them to a new file that only its owner can read; `--dir` also writes those of the
 * components as files, `<component>/<key>`, which provisioning reads. `--prefix` precedes the names on the servers.
 * `--devdeps` names the release of chart vds-devdeps and adds the Secret of its administrators; `--no-tls` leaves out the
 * certificates of mTLS, for cert-manager; they are valid for a year, also for names in `--cluster-domain` (cluster.local).
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '@vds/chassis/errors';
import { adminSecrets, fullnameOf, newInstallation, productSecrets, type Secrets } from './release-secrets.ts';
import { writeComponentFolder } from './component-folder.ts';
import { installationPrefix } from '../installation.ts';
import { manifestsOf } from './manifests.ts';
import { tlsSecrets, VALID_DAYS } from './tls-secrets.ts';

const USAGE =
  'usage: npm run --silent secrets -- --release <name> [--devdeps <name>] [--namespace <name>] [--prefix <prefix>] [--no-tls] [--cluster-domain <name>] [--out <file>] [--dir <folder>]';

const options = {
  release: { type: 'string' },
  devdeps: { type: 'string' },
  namespace: { type: 'string' },
  tls: { type: 'boolean', default: true },
  out: { type: 'string' },
  dir: { type: 'string' },
  prefix: { type: 'string', default: '' },
  'cluster-domain': { type: 'string', default: 'cluster.local' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

try {
  await main();
} catch (error) {
  log(messageOf(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options, allowNegative: true });
  if (values.release === undefined) throw new Error(USAGE);
  for (const option of ['release', 'devdeps', 'namespace'] as const) checkName(option, values[option]);
  installationPrefix(values.prefix, '--prefix');
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(values['cluster-domain']))
    throw new Error(`--cluster-domain must be a domain such as cluster.local; got '${values['cluster-domain']}'`);
  if (values.prefix !== '' && values.devdeps !== undefined)
    throw new Error('--prefix is for servers that installations share; those of --devdeps have the names without one');
  const secrets = await secretsOf(values.release, values);
  if (values.out !== undefined) checkNew(values.out);
  if (values.dir !== undefined) writeComponentFolder(values.dir, fullnameOf(values.release), secrets);
  const text = manifestsOf(secrets, values.namespace);
  if (values.out === undefined) process.stdout.write(text);
  else writeNew(values.out, text);
  // Not beside manifests that go on to kubectl: the log of a pod has both outputs as one, line by line.
  if (values.out !== undefined || process.stdout.isTTY) printNextSteps(values.release, values);
}

/** Rejects names that Kubernetes or Helm reject. */
function checkName(option: string, name: string | undefined): void {
  if (name !== undefined && !/^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/.test(name))
    throw new Error(`--${option} must be lowercase letters, digits and dashes, at most 53; got '${name}'`);
}

async function secretsOf(release: string, options: Options): Promise<Secrets> {
  const { devdeps, namespace, prefix, tls, 'cluster-domain': clusterDomain } = options;
  const fullname = fullnameOf(release);
  return new Map([
    ...productSecrets(fullname, newInstallation(prefix)),
    ...(devdeps === undefined ? [] : adminSecrets(devdeps)),
    ...(tls ? await tlsSecrets(fullname, { namespace, clusterDomain }) : []),
  ]);
}

/** Never overwrites a file: its values may be in use. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    checkNew(file);
    throw error;
  }
}

function checkNew(file: string): void {
  if (existsSync(file)) throw new Error(`${file} exists already and may be in use; choose another name, or remove it.`);
}

function printNextSteps(release: string, { devdeps, namespace, prefix, tls, out, dir }: Options): void {
  const where = namespace === undefined ? '' : ` --namespace ${namespace}`;
  const fullname = fullnameOf(release);
  const lines = [
    'Next steps; the Secrets must exist before the charts are installed:',
    // Never `apply`: it would replace the peppers of existing Secrets and invalidate every API key.
    `  kubectl create --filename ${out ?? '<this output>'}`,
    ...(devdeps === undefined
      ? []
      : [`  helm install ${devdeps} charts/vds-devdeps${where} --set vdsFullname=${fullname} --wait --timeout 15m`]),
    `  helm install ${release} charts/vds${where} --values <yours>${prefix === '' ? '' : ` --set external.prefix=${prefix}`} --wait --timeout 15m`,
    "Store them safely: data folders and partners' keys depend on the values, and they cannot be recovered.",
    ...(devdeps === undefined
      ? [
          `Your PostgreSQL, NATS and S3 need the same passwords: ${prefix === '' ? '' : `PREFIX=${prefix} `}SECRETS_DIR=${dir ?? '<folder of --dir>'} npm run provision creates roles and buckets with them, or prints what to apply.`,
          `If your OpenSearch requires a user, add OPENSEARCH_PASSWORD to ${fullname}-indexer.`,
        ]
      : []),
    tls
      ? `The certificates are valid for ${VALID_DAYS} days; renew them before, or let cert-manager make them (tls.certManager, --no-tls).`
      : 'Certificates are not included: cert-manager makes them (tls.certManager), or set tls.enabled=false.',
  ];
  for (const line of lines) log(line);
}

/** To standard error: standard output is for the manifests. */
function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
