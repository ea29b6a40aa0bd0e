/**
 * Follows the pages of the runbook: every command runs as an operator runs it and prints what it should, and every
 * query, like those of the dashboards, is sent to a Prometheus that watches the release.
 */
import { expect } from 'chai';
import { expressionsOf, readDashboards } from '@vds/scripts/check/charts/monitoring/dashboard-files';
import { find } from '@vds/testkit/servers/command';
import { prometheus as findPrometheus } from '@vds/testkit/programs/prometheus';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { attempt, root } from '../harness/cluster/command.ts';
import { filled, openShell, type Names, type Shell } from '../harness/runbook/operator-shell.ts';
import { NO_PROMETHEUS, openPrometheus, type Prometheus } from '../harness/monitoring/prometheus.ts';
import { getJson, isTerminating, kubectl, release, type Pod } from '../harness/cluster/release.ts';
import { applyChanges } from '../harness/runbook/changes.ts';
import { readPages, type Page } from '../harness/runbook/pages.ts';
import { expectedOutputs, asDryRun, emptyWhenHealthy, isChange, needs } from '../harness/runbook/expected-output.ts';
import { restartProcess, openReleaseFixture, type ReleaseFixture } from '../harness/runbook/release-fixture.ts';
import type { Target } from '../harness/host/host.ts';
import { theCluster } from '../harness/shared-target.ts';

const pages = readPages();
const dashboards = readDashboards(root);
/** The service that a page means by `<service>`. */
const SERVICE = 'captions';
const tlsSecrets = ['gateway', SERVICE].map((name) => `${release.name}-${name}-tls`);

/** A command's missing prerequisite, as a sentence. */
async function missingFor(command: string): Promise<string | undefined> {
  const need = needs(command);
  if (need === 'nats') return find('nats') === null ? 'there is no nats CLI' : undefined;
  if (need === undefined) return undefined;
  if (need === 'certificates') {
    const name = `${release.name}-${SERVICE}`;
    const found = await attempt('kubectl', [
      '--namespace',
      release.namespace,
      'get',
      `certificate/${name}`,
      '-o',
      'name',
    ]);
    return found.trim().endsWith(`/${name}`) ? undefined : 'no certificate of the release is made by cert-manager';
  }
  const known = await attempt('kubectl', ['get', 'crd', 'servicemonitors.monitoring.coreos.com']);
  return known.includes('NotFound') ? 'the cluster has no Prometheus operator' : undefined;
}

async function areGone(): Promise<boolean> {
  return !(await getJson<{ items: Pod[] }>(['pods'])).items.some(isTerminating);
}

/** Puts a certificate where the pages expect one; the returned function removes it. */
async function createCertificate(secret: string, file: string): Promise<() => Promise<unknown>> {
  const there = await attempt('kubectl', ['--namespace', release.namespace, 'get', 'secret', secret]);
  if (!there.includes('NotFound')) return () => Promise.resolve();
  await kubectl(['create', 'secret', 'generic', secret, `--from-file=tls.crt=${file}`]);
  return () => kubectl(['delete', 'secret', secret]);
}

describe('the runbook', function () {
  this.timeout(180_000);
  let target: Target;
  let fixture: ReleaseFixture;
  let names: Names;
  let shell: Shell;
  let prometheus: Prometheus | undefined;
  const undo: (() => Promise<unknown>)[] = [];

  before(async function () {
    this.timeout(1_200_000);
    target = await theCluster(this);
    if ((await findPrometheus()) !== null) prometheus = await openPrometheus();
    // Terminating pods still consume events, and their last metrics are never scraped.
    await until(areGone, { capMs: 120_000, everyMs: 1_000, what: 'pods on their way out to be gone' });
    const started = `process_start_time_seconds{service="${SERVICE}",release="${release.name}"}`;
    const watched = async (): Promise<boolean> => !prometheus || (await prometheus.query(started)).length > 0;
    await until(watched, { capMs: 60_000, what: 'the process to be watched before it starts once more' });
    const [did, pod] = await Promise.all([openReleaseFixture(target, 'The runbook'), restartProcess(SERVICE)]);
    const { items } = await getJson<{ items: { metadata: { name: string } }[] }>(['nodes']);
    fixture = did;
    const ids = { id: did.id, 'publisher id': did.publisherId };
    const objects = { pod: pod.metadata.name, node: items[0]?.metadata.name ?? '' };
    names = { ...ids, ...objects, service: SERVICE, owner: 'transcode', more: '2' };
    for (const secret of tlsSecrets) undo.push(await createCertificate(secret, target.origin.caFile));
    shell = openShell(
      { NS: release.namespace, REL: release.name, F: release.name, ME: 'runbook' },
      { OPENSEARCH: target.site.servers.opensearch?.url ?? '' },
    );
  });
  after(async () => {
    for (const restoreSecret of undo) await restoreSecret();
    await prometheus?.close();
  });

  /** The video of pages on failures and on retries is one that failed. */
  const written = (page: Page, command: string): string => {
    const failed = page.name === 'vds-videos-failing' || command.includes('video retry');
    return filled(command, failed ? { ...names, id: fixture.failedId, owner: 'ingest' } : names);
  };

  const follow = async (page: Page, command: string): Promise<void> => {
    const missing = await missingFor(command);
    if (missing !== undefined) return console.log(`        skipped: ${command}: ${missing}`);
    const line = asDryRun(written(page, command));
    const expected = expectedOutputs.find(([pattern]) => pattern.test(line))?.[1];
    expect(expected, `no output is expected of: ${line}`).to.be.instanceOf(RegExp);
    expect(await shell.runOnce(line), line).to.match(expected ?? /$./);
  };

  /** Polls until each query has a result; a rate needs two scrapes. */
  const expectResults = async (watcher: Prometheus, expressions: readonly string[]): Promise<void> => {
    let empty: readonly string[] = [];
    const none = async (): Promise<boolean> => {
      const found = await Promise.all(
        expressions.map(async (query) => ((await watcher.query(query)).length > 0 ? [] : [query])),
      );
      empty = found.flat().filter((query) => !emptyWhenHealthy.some(([pattern]) => pattern.test(query)));
      return empty.length === 0;
    };
    await until(none, { capMs: 20_000, everyMs: 2_000, what: 'results' }).catch((error: Error) =>
      expect(empty, error.message).to.deep.equal([]),
    );
  };

  for (const page of pages)
    it(`every command of the page ${page.name} prints what it should`, async () => {
      for (const command of page.commands.filter((one) => !isChange(one))) await follow(page, command);
      for (const statement of page.statements) {
        const { rows } = await target.site.adminPool('captions').query(filled(statement, names));
        expect(rows).not.to.have.length(0);
      }
    });

  const queries = [
    ...pages.map(({ name, queries: own }) => [name, own] as const),
    ...[...dashboards].map(([name, text]) => [name, expressionsOf(name, text).map(({ expr }) => expr)] as const),
  ].filter(([, own]) => own.length > 0);
  for (const [name, own] of queries)
    it(`every query of ${name} has a result`, async function () {
      if (!prometheus) return skipBecause(this, NO_PROMETHEUS);
      const variables: Names = {
        namespace: release.namespace,
        release: release.name,
        __rate_interval: '30m',
        __range: '1h',
      };
      await expectResults(
        prometheus,
        own.map((query) => query.replaceAll(/\$(\w+)/g, (all, variable: string) => variables[variable] ?? all)),
      );
    });

  it('the changes of the pages leave the release as it was', async function () {
    this.timeout(600_000);
    const changes = pages.flatMap((page) => page.commands.filter(isChange).map((one) => written(page, one)));
    await applyChanges(shell, [...new Set(changes)]);
  });

  it('every expected output and every excused query belongs to a page', () => {
    const commands = pages.flatMap((page) => page.commands.map((one) => asDryRun(written(page, one))));
    const unusedOutputs = expectedOutputs.filter(([pattern]) => !commands.some((one) => pattern.test(one)));
    const expressions = queries.flatMap(([, own]) => own);
    const unusedExcuses = emptyWhenHealthy.filter(([pattern]) => !expressions.some((one) => pattern.test(one)));
    expect([...unusedOutputs, ...unusedExcuses].map(([pattern]) => pattern.source)).to.deep.equal([]);
  });
});
