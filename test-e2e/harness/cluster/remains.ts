/** What remains of a release after it was uninstalled. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { command } from './command.ts';

/**
 * The entries of the chart's README under "What uninstalling leaves behind" that a clean run creates: Helm does not
 * remove hooks.
 */
const allowed = /^pod\/vds-release-test$|^(networkpolicy\.networking\.k8s\.io|serviceaccount)\/vds-migrate$/;

/** Uninstalls the release and expects that only what its README lists remains. */
export async function uninstall(name: string, namespace: string): Promise<void> {
  await command('helm', ['uninstall', name, '--namespace', namespace, '--wait', '--timeout', '10m']);
  const left = async (): Promise<string[]> => (await objectsOf(name, namespace)).filter((one) => !allowed.test(one));
  const gone = async (): Promise<boolean> => (await left()).length === 0;
  await until(gone, { capMs: 180_000, everyMs: 1_000, what: `the end of ${name}` }).catch(async () =>
    expect(await left()).to.deep.equal([]),
  );
}

/** Names of the objects of every listable kind, except events and metrics, that carry the release's label. */
async function objectsOf(name: string, namespace: string): Promise<string[]> {
  const kinds = await command('kubectl', ['api-resources', '--verbs', 'list', '--output', 'name']);
  const listable = kinds
    .split('\n')
    .filter((kind) => kind !== '' && !/^events|^componentstatuses|metrics\.k8s\.io/.test(kind))
    .join(',');
  const selector = ['--selector', `app.kubernetes.io/instance=${name}`, '--ignore-not-found'];
  const found = await command('kubectl', ['--namespace', namespace, 'get', listable, ...selector, '--output', 'name']);
  return found.split('\n').filter(Boolean).toSorted();
}
