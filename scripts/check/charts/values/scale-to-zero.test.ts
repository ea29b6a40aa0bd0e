/** KEDA's query for a component that may have no pods, as Prometheus evaluates it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { promtool } from '@vds/testkit/programs/prometheus';
import { run } from '@vds/testkit/servers/command';
import { skipBecause } from '@vds/testkit/skip';
import { canRender, render } from '../render.ts';

type ScaledObject = { readonly triggers: readonly { readonly metadata: { readonly query: string } }[] };

describe('the backlog of a component without pods', function () {
  this.timeout(30_000);
  const from = (service: string, rest = ''): string => `{namespace="video",release="vds",service="${service}"${rest}}`;
  const ready = (value: number) => [`vds_work_ready${from('ingest', ',queue="a"')}`, value] as const;
  const running = (value: number) => [`vds_work_running${from('ingest')}`, value] as const;
  const open = (value: number, stage = 'fetch') =>
    [`vds_catalog_open_stages${from('catalog', `,stage="${stage}",state="requested"`)}`, value] as const;
  const silent = [`vds_catalog_silent_seconds${from('catalog', ',stage="fetch"')}`, 700] as const;
  const purge = (seconds: number) => [`vds_catalog_oldest_purge_seconds${from('catalog')}`, seconds] as const;
  const cases = {
    'asks for one pod while catalog has open stages': { series: [silent, purge(0), open(9)], value: 1 },
    'asks for one pod while a purge has no answer': { series: [silent, purge(40)], value: 1 },
    'is 0 while catalog has none of its stages': { series: [silent, purge(0), open(9, 'metadata')], value: 0 },
    'is that of its pods where they have more': { series: [silent, purge(0), open(2), ready(5), running(2)], value: 7 },
    'keeps a pod whose jobs wait for a retry': { series: [silent, purge(0), open(1), ready(0), running(0)], value: 1 },
    'is that of its pods where catalog does not report': { series: [ready(0), running(3)], value: 3 },
    'is unknown, not 0, where nothing reports': { series: [], value: undefined },
  };

  const folder = mkdtempSync(join(tmpdir(), 'vds-backlog-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, { series, value }] of Object.entries(cases))
    it(`the backlog of a component without pods ${name}`, async function () {
      const tool = await promtool();
      if (!canRender() || tool === null || tool === undefined)
        return skipBecause(this, 'helm or promtool is not on PATH');
      const keda = ['enabled=true', 'minReplicas=0', 'serverAddress=http://prometheus:9090'];
      const values = ['monitoring.ownTargets=true', ...keda.map((one) => `components.ingest.keda.${one}`)].join();
      const args = ['-n', 'video', '-f', 'charts/vds/ci/required-values.yaml', '--set', values];
      const [scaler] = (await render('vds', 'vds', args)).filter(({ kind }) => kind === 'ScaledObject');
      if (scaler === undefined) throw new Error('there is no ScaledObject');
      const expr = (scaler.spec as unknown as ScaledObject).triggers[0]?.metadata.query;
      const test = {
        evaluation_interval: '1m',
        tests: [
          {
            input_series: series.map(([one, number]) => ({ series: one, values: `${number}x5` })),
            promql_expr_test: [
              { expr, eval_time: '2m', exp_samples: value === undefined ? [] : [{ labels: '{}', value }] },
            ],
          },
        ],
      };
      const file = join(folder, 'test.yaml');
      writeFileSync(file, JSON.stringify(test));
      expect(await run(tool, ['test', 'rules', file])).to.include('SUCCESS');
    });
});
