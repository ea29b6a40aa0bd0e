/**
 * Every values file of `deploy/values` installs, serves, and uninstalls cleanly: one after the other, in a separate
 * namespace.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { skipBecause } from '@vds/testkit/skip';
import { command, root } from '../harness/cluster/command.ts';
import { fittedValues, readValues } from '../harness/cluster/fitted-values.ts';
import { chartValues, productChart, serverArguments } from '../harness/cluster/install.ts';
import { apply, release } from '../harness/cluster/release.ts';
import { uninstall } from '../harness/cluster/remains.ts';
import { removeStandIns, standInFor } from '../harness/monitoring/stand-in-crds.ts';
import type { Target } from '../harness/host/host.ts';
import { theCluster } from '../harness/shared-target.ts';

const namespace = `${release.namespace}-values`;
const inNamespace = ['--namespace', namespace];
const waiting = ['--wait', '--wait-for-jobs', '--timeout', '10m'];
function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}/${name}`)
    .toSorted();
}

type Manifest = { readonly apiVersion: string; readonly kind: string };

describe('values files', function () {
  this.timeout(1_200_000);
  let target: Target;
  let scratch: string | undefined;

  before(async function () {
    target = await theCluster(this);
    scratch = mkdtempSync(join(tmpdir(), 'vds-values-'));
    await apply({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
    const secrets = join(scratch, 'secrets.yaml');
    const names = ['--release', release.name, '--devdeps', release.servers, '--namespace', namespace];
    await command('node', ['deploy/tools/secrets/main.ts', ...names, '--out', secrets]);
    await command('kubectl', [...inNamespace, 'apply', '--server-side', '--filename', secrets]);
    await command('helm', ['install', release.servers, ...serverArguments(), ...inNamespace, ...waiting]);
  });
  after(async () => {
    if (scratch === undefined) return;
    rmSync(scratch, { recursive: true, force: true });
    await removeStandIns();
    await command('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found', '--timeout', '5m']);
  });

  /** The certificate of an authority, for files that trust one: any will do, so that of the tests' origin. */
  const createTrust = async (file: string): Promise<void> => {
    const { configMap } = readValues(file).trust ?? {};
    if (configMap === undefined) return;
    const data = { 'ca.crt': readFileSync(target.origin.caFile, 'utf8') };
    await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: configMap, namespace }, data });
  };

  for (const file of filesOf('deploy/values')) {
    it(`${file} installs, passes helm test, and leaves nothing behind`, async function () {
      if (chartValues.vds.includes(file)) return skipBecause(this, 'the release of every other test uses it');
      const fitted = join(scratch ?? '', 'fitted.json');
      writeFileSync(fitted, JSON.stringify(fittedValues(file)));
      const values = [release.name, productChart, ...inNamespace, '--values', file, '--values', fitted];
      const rendered = await command('helm', ['template', ...values]);
      const standIns = await standInFor(parseAllDocuments(rendered).flatMap((one) => (one.toJS() as Manifest) ?? []));
      await createTrust(file);
      const from = performance.now();
      await command('helm', ['install', ...values, ...waiting]);
      const seconds = ((performance.now() - from) / 1_000).toFixed(0);
      const output = await command('helm', ['test', release.name, ...inNamespace, '--logs', '--timeout', '5m']);
      expect(output).to.contain('3 ok, 0 failed, 1 skipped');
      const pods = await command('kubectl', [...inNamespace, 'get', 'pods', '--output', 'name']);
      const count = pods.split('\n').filter((pod) => pod.startsWith(`pod/${release.name}-`)).length - 1;
      await uninstall(release.name, namespace);
      console.log(`      ${file}: ${count} pods in ${seconds} s; stand-ins: ${standIns.join(', ') || 'none'}`);
    });
  }

  for (const file of filesOf('deploy/values/devdeps')) {
    it(`${file} installs the servers`, function () {
      if (!chartValues.servers.includes(file))
        return skipBecause(this, 'official images from a registry: VDS_SERVERS_VALUES chooses it');
      // Every test above ran on them.
      return command('helm', ['status', release.servers, ...inNamespace]).then((output) =>
        expect(output).to.contain('STATUS: deployed'),
      );
    });
  }
});
