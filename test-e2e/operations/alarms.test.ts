/**
 * Every alert is provoked: its expression becomes true in a Prometheus that watches the release, and false again once
 * its page of the runbook was followed. How long it must stay true (`for`) is tested by promtool.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { prometheus as findPrometheus } from '@vds/testkit/programs/prometheus';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { meanwhile, openWatch, type Watch } from '../harness/monitoring/alert-watch.ts';
import { openShell, type Shell } from '../harness/runbook/operator-shell.ts';
import { NO_PROMETHEUS, openPrometheus, type Prometheus } from '../harness/monitoring/prometheus.ts';
import { release } from '../harness/cluster/release.ts';
import { withoutServer, type ServerName } from '../harness/cluster/servers.ts';
import { holdJob } from '../harness/runbook/unclaimed-job.ts';
import { restartProcess, openReleaseFixture, type ReleaseFixture } from '../harness/runbook/release-fixture.ts';
import { appsOf, type Apps } from '../harness/apps-client.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theCluster } from '../harness/shared-target.ts';
import { inPod } from './in-pod.ts';

const NO_STATE_METRICS = 'VdsReplicasUnavailable: skipped, no kube-state-metrics reports Deployments here';

describe('provoked alerts', function () {
  this.timeout(400_000);
  let target: Target;
  let fixture: ReleaseFixture;
  let partner: Partner;
  let apps: Apps;
  let shell: Shell;
  let prometheus: Prometheus | undefined;
  let watch: Watch;

  before(async function () {
    this.timeout(1_200_000);
    target = await theCluster(this);
    if ((await findPrometheus()) === null) return skipBecause(this, NO_PROMETHEUS);
    fixture = await openReleaseFixture(target, 'What alarms');
    partner = fixture.partner;
    apps = appsOf(target.site);
    prometheus = await openPrometheus();
    watch = openWatch(prometheus);
    shell = openShell({ NS: release.namespace, REL: release.name, F: release.name, ME: 'alarms' }, {});
  });
  after(async () => {
    await apps?.close();
    await prometheus?.close();
  });

  const without = (name: ServerName, work: () => Promise<void>): Promise<void> =>
    withoutServer(target.site, name, work);

  it('a component without pods fires VdsComponentMissing, VdsStageSilent and VdsPurgeUnconfirmed', async () => {
    const all = [
      { alert: 'VdsComponentMissing', severity: 'ticket' as const, labels: { service: 'transcode' } },
      { alert: 'VdsStageSilent', severity: 'page' as const, seconds: 3 },
      { alert: 'VdsPurgeUnconfirmed', seconds: 10 },
    ];
    const id = await partner.submit(fixture.sourceUrl, { title: 'To be removed' });
    await partner.settled(id);
    const restart = await target.site.end('transcode');
    let next = '';
    try {
      next = await partner.submit(fixture.sourceUrl, { title: 'Not inspected' });
      await partner.remove(id);
      await watch.rise(...all);
      expect(await shell.run(`vdsctl video show ${id}`)).to.match(/unconfirmed purges +.*transcode/);
    } finally {
      await restart();
    }
    await watch.fall(...all);
    expect((await partner.settled(next)).status).to.equal('ready');
    if ((await prometheus?.query('kube_deployment_status_replicas_unavailable'))?.length === 0)
      console.log(`      ${NO_STATE_METRICS}`);
  });

  it('an outage of OpenSearch fires VdsDiscoveryFailing and VdsIndexerLag', async () => {
    const all = [{ alert: 'VdsDiscoveryFailing' }, { alert: 'VdsIndexerLag', seconds: 5 }];
    const search = () => apps.search('Runbook');
    await without('opensearch', async () => {
      await partner.archive(fixture.id);
      await meanwhile(search, 2, () => watch.rise(...all));
      expect(await shell.run('logs indexer 2m')).to.match(/"level":"(warn|error)"/);
    });
    await meanwhile(search, 10, () => watch.fall(...all));
    expect(await shell.run('vdsctl index status')).to.match(/^live videos/m);
  });

  it('an outage of NATS fires VdsBusDisconnected, VdsOutboxStuck, VdsCheckFailing, VdsComponentDown and VdsPodUnready', async () => {
    const ofIngest = { labels: { service: 'ingest' } };
    const all = [
      { alert: 'VdsBusDisconnected', labels: { service: 'catalog' } },
      { alert: 'VdsOutboxStuck', labels: { service: 'catalog' }, seconds: 3 },
      { alert: 'VdsCheckFailing', labels: { service: 'ingest', check: 'bus' } },
      { alert: 'VdsComponentDown', severity: 'ticket' as const, ...ofIngest },
      { alert: 'VdsPodUnready', ...ofIngest },
    ];
    let id = '';
    await without('nats', async () => {
      id = await partner.submit(fixture.sourceUrl, { title: 'Without NATS' });
      await watch.rise(...all);
      expect(await shell.run(`logs catalog 2m 'outbox publishing failed'`)).to.contain('"failures"');
    });
    await watch.fall(...all);
    expect((await partner.settled(id)).status).to.equal('ready');
  });

  it('unclaimed work fires VdsFetchUnclaimed and VdsWorkUnclaimed', async () => {
    const all = [
      { alert: 'VdsFetchUnclaimed', seconds: 3 },
      { alert: 'VdsWorkUnclaimed', labels: { service: 'captions', queue: 'transcribe' }, seconds: 3 },
    ];
    const held = [await holdJob(target.site, 'ingest', 'fetch'), await holdJob(target.site, 'captions', 'transcribe')];
    try {
      await watch.rise(...all);
    } finally {
      for (const releaseJob of held) await releaseJob();
    }
    await watch.fall(...all);
  });

  it('an outage of PostgreSQL fires VdsApiErrorBudgetBurn, VdsComponentDown, VdsCheckFailing and VdsMetricsFailing', async () => {
    const down = [
      { alert: 'VdsComponentDown', labels: { service: 'catalog' } },
      { alert: 'VdsCheckFailing', labels: { service: 'auth', check: 'database' } },
    ];
    const burn = { alert: 'VdsApiErrorBudgetBurn', severity: 'page' as const };
    const readVideo = () => partner.call('GET', `/v1/videos/${fixture.id}`);
    await without('postgres', async () => {
      const rise = () => watch.rise(...down, burn, { alert: 'VdsMetricsFailing', labels: { service: 'catalog' } });
      await meanwhile(() => readVideo().then(() => sleep(250)), 1, rise);
      expect(await shell.run('logs gateway 2m')).to.match(/"request_id".*"request failed"/);
    });
    await watch.fall(...down);
    await meanwhile(readVideo, 10, () => watch.fall(burn));
  });

  it('an unreadable message fires VdsDeadLetters', async () => {
    await inPod(
      'catalog',
      null,
      `import { createRequire } from 'node:module';
      const { connect } = createRequire('/app/services/_chassis/package.json')('@nats-io/transport-node');
      const { NATS_URL: servers, NATS_USER: user, NATS_PASSWORD: pass } = process.env;
      const nats = await connect({ servers, user, pass, inboxPrefix: '_INBOX_catalog' });
      nats.publish('catalog.video.changed.v1', 'no message of ours');
      await nats.drain();
      output(true);`,
    );
    await watch.rise({ alert: 'VdsDeadLetters', labels: { service: 'indexer', subject: 'catalog.video.changed.v1' } });
    expect(await shell.run(`logs indexer 2m 'message handler failed'`)).to.match(/"last":true/);
  });

  it('an outage of S3 fires VdsWorkRetrying', async () => {
    const ids: string[] = [];
    await without('s3', async () => {
      for (let count = 0; count < 6; count++)
        ids.push(await partner.submit(fixture.sourceUrl, { title: `Later ${count}` }));
      await watch.rise({ alert: 'VdsWorkRetrying', labels: { service: 'ingest', queue: 'fetch' } });
      expect(await shell.run(`logs ingest 5m 'a unit of work failed'`)).to.match(/"unit"/);
    });
    for (const id of ids) expect((await partner.settled(id)).status).to.equal('ready');
  });

  it('a pod that restarts repeatedly fires VdsRestarting', async () => {
    const labels = `service="metadata",release="${release.name}"`;
    const changes = `max(changes(process_start_time_seconds{${labels}}[30m]))`;
    const seen = async (): Promise<number> => (await prometheus?.query(changes))?.[0]?.value ?? -1;
    await until(async () => (await seen()) >= 0, { capMs: 60_000, what: 'the process to be watched' });
    const before = await seen();
    for (let count = 0; count < 3; count++) {
      await restartProcess('metadata');
      // Between two scrapes there must be no second start.
      await until(async () => (await seen()) > before + count, {
        capMs: 60_000,
        what: `start ${count + 1} to be seen`,
      });
    }
    await watch.rise({ alert: 'VdsRestarting', labels: { service: 'metadata' } });
  });
});
