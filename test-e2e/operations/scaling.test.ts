/** transcode follows its work: one replica, three while there is much of it, and one again. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { makeSample } from '@vds/scripts/media/make-samples';
import { pairs } from '@vds/scripts/media/sample-list';
import { until } from '@vds/shared/testing/until';
import { command } from '../target/cluster/command.ts';
import { productChart, releaseValues } from '../target/cluster/install.ts';
import { getJson, podsOf, release } from '../target/cluster/release.ts';
import type { Target } from '../target/host.ts';
import type { Partner } from '../target/partner.ts';
import { theCluster } from '../target/the-target.ts';

const VIDEOS = 12;
const autoscaler = `${release.name}-transcode`;

type Autoscaler = {
  readonly status: {
    readonly currentReplicas?: number;
    readonly desiredReplicas: number;
    readonly currentMetrics?: readonly { readonly resource?: { readonly current: { averageUtilization?: number } } }[];
  };
};

const scale = (enabled: boolean): Promise<string> => {
  const block = `components.transcode.autoscaling`;
  const set = [`${block}.enabled=${enabled}`, `${block}.minReplicas=1`, `${block}.maxReplicas=3`];
  const quick = [`${block}.behavior.scaleDown.stabilizationWindowSeconds=15`];
  const values = [...set, ...quick].flatMap((value) => ['--set', value]);
  const options = ['--namespace', release.namespace, '--wait', '--timeout', '10m'];
  return command('helm', ['upgrade', release.name, productChart, ...releaseValues(), ...values, ...options]);
};

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

  it('goes from 1 replica to 3 and back to 1', async () => {
    const from = performance.now();
    const told: string[] = [];
    let last = '';
    const look = async (): Promise<number> => {
      const { status } = await getJson<Autoscaler>(['horizontalpodautoscaler', autoscaler]);
      const replicas = (await podsOf('transcode')).length;
      const used = status.currentMetrics?.[0]?.resource?.current.averageUtilization ?? 0;
      if (`${replicas}` !== last)
        told.push(`${((performance.now() - from) / 1_000).toFixed(0)} s: ${replicas} (${used} % of the request)`);
      last = `${replicas}`;
      return replicas;
    };
    const reaches = (wanted: number) =>
      until(async () => (await look()) === wanted, { capMs: 900_000, everyMs: 1_000, what: `${wanted} replicas` });
    await reaches(1);
    const file = await makeSample(pairs.find(({ height, codec }) => height === 720 && codec === 'h264') ?? pairs[0]!);
    await copyFile(file, join(target.media, basename(file)));
    const ids: string[] = [];
    for (let count = 0; count < VIDEOS; count++)
      ids.push(await partner.submit(target.origin.url(`/${basename(file)}`), { title: `Scaling ${count}` }));
    await reaches(3);
    for (const id of ids) expect((await partner.settled(id, 900_000)).status).to.equal('ready');
    await reaches(1);
    console.log(told.map((line) => `      ${line}`).join('\n'));
  });
});
