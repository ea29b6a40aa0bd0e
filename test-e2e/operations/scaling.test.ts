/** transcode scales with its load: one replica, three under load, and one again. */
import { expect } from 'chai';
import { command } from '../harness/cluster/command.ts';
import { productChart, releaseValues } from '../harness/cluster/install.ts';
import { getJson, release } from '../harness/cluster/release.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theCluster } from '../harness/shared-target.ts';
import { followReplicas, submitMany } from './scaling-load.ts';

const autoscaler = `${release.name}-transcode`;

type Autoscaler = {
  readonly status: {
    readonly currentReplicas?: number;
    readonly desiredReplicas: number;
    readonly currentMetrics?: readonly { readonly resource?: { readonly current: { averageUtilization?: number } } }[];
  };
};

function scale(enabled: boolean): Promise<string> {
  const block = `components.transcode.autoscaling`;
  const set = [`${block}.enabled=${enabled}`, `${block}.minReplicas=1`, `${block}.maxReplicas=3`];
  const quick = [`${block}.behavior.scaleDown.stabilizationWindowSeconds=15`];
  // An idle worker must be far below its target, which is a share of its request; kind.yaml requests very little.
  const request = enabled ? ['components.transcode.resources.requests.cpu=100m'] : [];
  const values = [...set, ...quick, ...request].flatMap((value) => ['--set', value]);
  const options = ['--namespace', release.namespace, '--wait', '--timeout', '10m'];
  return command('helm', ['upgrade', release.name, productChart, ...releaseValues(), ...values, ...options]);
}

describe('transcode under an autoscaler', function () {
  this.timeout(1_800_000);
  let target: Target;
  let partner: Partner;
  let scaled = false;
  before(async function () {
    target = await theCluster(this);
    partner = await target.newPartner('Scaling');
    await scale(true);
    scaled = true;
  });
  after(async () => {
    if (scaled) await scale(false);
  });

  it('an autoscaler scales transcode from 1 replica to 3 and back to 1', async () => {
    const used = async (): Promise<string> => {
      const { status } = await getJson<Autoscaler>(['horizontalpodautoscaler', autoscaler]);
      return `${status.currentMetrics?.[0]?.resource?.current.averageUtilization ?? 0} % of the request`;
    };
    const replicas = followReplicas('transcode', used);
    await replicas.reaches(1);
    const ids = await submitMany(target, partner, 'Scaling');
    await replicas.reaches(3);
    for (const id of ids) expect((await partner.settled(id, 900_000)).status).to.equal('ready');
    await replicas.reaches(1);
    console.log(replicas.timeline());
  });
});
