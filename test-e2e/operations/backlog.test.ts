/**
 * transcode follows its backlog by the chart's ScaledObject: one replica, three while the backlog is long, and one
 * again. KEDA reads waiting and running jobs from a Prometheus that scrapes the chart's ServiceMonitors.
 */
import { expect } from 'chai';
import { keda } from '@vds/testkit/programs/keda';
import { prometheus } from '@vds/testkit/programs/prometheus';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { command } from '../harness/cluster/command.ts';
import { productChart, releaseValues } from '../harness/cluster/install.ts';
import { openKeda, othersScaler } from '../harness/monitoring/keda.ts';
import { NO_PROMETHEUS, openPrometheus, type Prometheus } from '../harness/monitoring/prometheus.ts';
import { getJson, release } from '../harness/cluster/release.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theCluster } from '../harness/shared-target.ts';
import { followReplicas, submitMany } from './scaling-load.ts';

const NO_KEDA = 'KEDA is neither on PATH nor in the tools folder; `npm run servers -- install keda` builds it';

type ScaledObject = {
  readonly spec: { readonly triggers: readonly { readonly metadata: { readonly query: string } }[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
};

function scaledObject(): Promise<ScaledObject> {
  return getJson<ScaledObject>(['scaledobjects.keda.sh', `${release.name}-transcode`]);
}

/** The release with a ScaledObject that queries this address, or without one. */
function scaleBy(serverAddress: string | null): Promise<string> {
  const block = 'components.transcode.keda';
  const set = [
    `enabled=${serverAddress !== null}`,
    'minReplicas=1',
    'maxReplicas=3',
    'threshold=2',
    'pollingInterval=5',
  ];
  const quick = 'behavior.scaleDown.stabilizationWindowSeconds=15';
  const address = `serverAddress=${serverAddress ?? ''}`;
  const values = [...set, quick, address].flatMap((value) => ['--set', `${block}.${value}`]);
  // The test's Prometheus scrapes the pods without objects in the cluster.
  const targets = ['--set', 'monitoring.ownTargets=true'];
  const options = [...targets, '--namespace', release.namespace, '--wait', '--timeout', '10m'];
  return command('helm', ['upgrade', release.name, productChart, ...releaseValues(), ...values, ...options]);
}

describe('transcode under KEDA', function () {
  this.timeout(1_800_000);
  let target: Target;
  let partner: Partner;
  let metrics: Prometheus;
  /** Reverted in reverse order. */
  const undo: (() => Promise<unknown>)[] = [];
  before(async function () {
    target = await theCluster(this);
    const found = keda() ?? skipBecause(this, NO_KEDA);
    if ((await prometheus()) === null) skipBecause(this, NO_PROMETHEUS);
    const others = await othersScaler();
    if (others !== undefined) skipBecause(this, `this cluster scales already: ${others}`);
    partner = await target.newPartner('Backlog');
    metrics = await openPrometheus();
    undo.push(metrics.close);
    undo.push((await openKeda(found)).close);
    undo.push(() => scaleBy(null));
    await scaleBy(metrics.url);
  });
  after(async () => {
    for (const step of undo.toReversed()) await step();
  });

  it('KEDA accepts the ScaledObject of the chart', async () => {
    const accepted = async (): Promise<boolean> =>
      (await scaledObject()).status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ??
      false;
    await until(accepted, { capMs: 60_000, everyMs: 500, what: 'KEDA’s word that the ScaledObject is ready' });
  });

  it('KEDA scales transcode from 1 replica to 3 and back to 1', async () => {
    const query = (await scaledObject()).spec.triggers[0]?.metadata.query ?? '';
    const replicas = followReplicas('transcode', async () => `backlog ${(await metrics.query(query))[0]?.value}`);
    await replicas.reaches(1);
    const ids = await submitMany(target, partner, 'Backlog');
    await replicas.reaches(3);
    for (const id of ids) expect((await partner.settled(id, 900_000)).status).to.equal('ready');
    await replicas.reaches(1);
    console.log(replicas.timeline());
  });
});
