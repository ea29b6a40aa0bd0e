/** The check of the values of pods finds a value that a workload ignores, whichever it is. */
import { expect } from 'chai';
import { goProgram } from '@vds/testkit/programs/go-programs';
import { skipBecause } from '@vds/testkit/skip';
import { canRender, render } from '../render.ts';
import { podsOf } from '../resource.ts';
import { checkEveryPod, podFaults, unknownValues } from './every-pod.ts';
import { podValues } from './pod-values.ts';

const root = new URL('../../../../', import.meta.url).pathname;

describe('the check of the values of pods', function () {
  this.timeout(60_000);
  beforeEach(function () {
    if (!canRender()) skipBecause(this, 'helm is not on PATH');
  });

  it('every pod of the chart takes every value of pods, from its own block and from defaults', async () => {
    const { count, faults } = await checkEveryPod(root, goProgram('helm') ?? 'helm');
    expect(faults).to.deep.equal([]);
    expect(count).to.be.greaterThan(500);
  });
  it('the check of the values of pods finds each value on each workload of a release that sets none', async () => {
    const args = ['-f', 'charts/vds/ci/required-values.yaml', '--set', 'edge.enabled=true,toolbox.enabled=true'];
    const faults = podFaults(['gateway'], await render('vds', 'vds', args), () => 'mark');
    for (const key of Object.keys(podValues))
      for (const title of [
        'Deployment vds-gateway ignores gateway',
        'Deployment vds-edge ignores edge',
        'Deployment vds-toolbox ignores toolbox',
        'CronJob vds-reconcile-objects ignores reconcile',
        'Job vds-auth-migrate ignores migrations',
        'Pod vds-release-test ignores tests',
      ])
        expect(faults).to.include(`${title}.${key}`);
  });
  it('in diagnostic mode components and the edge idle, and no probe ends them', async () => {
    const args = [
      '-f',
      'charts/vds/ci/required-values.yaml',
      '--set',
      'edge.enabled=true,defaults.diagnosticMode=true',
    ];
    const pods = podsOf(await render('vds', 'vds', args)).filter(({ kind }) => kind === 'Deployment');
    for (const { owner, spec } of pods) {
      const [container] = spec.containers;
      const words = [...(container?.command ?? []), ...(container?.args ?? [])].join(' ');
      expect(words, owner).to.match(/^(sleep infinity|--eval .*setInterval.*)$/);
      expect(container, owner).to.not.have.any.keys('livenessProbe', 'readinessProbe', 'startupProbe');
    }
    expect(pods).to.have.length.greaterThan(9);
  });
  it('the check of the values of pods finds a workload without pods, and a value that it does not know', () => {
    expect(podFaults(['lens'], [], () => 'mark')).to.deep.equal(['lens: no pod is rendered']);
    expect(unknownValues([...Object.keys(podValues), 'overhead']).join()).to.include('overhead');
    expect(unknownValues(Object.keys(podValues).slice(1))).to.have.length(1);
  });
});
