import { expect } from 'chai';
import { startHealth } from '../../src/process/health.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { quiet } from '../fixtures.ts';

/** Value of a series in a scrape, undefined if it is missing; `labels` in the exposition format, without `service`. */
function valueOn(page: string, name: string, labels = ''): number | undefined {
  const line = page.split('\n').find((one) => one.startsWith(`${name}{${labels}`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('metrics', () => {
  it('vds_build_info shows the running version', async () => {
    const page = await createMetrics('probe', '1.2.3').registry.metrics();
    expect(valueOn(page, 'vds_build_info', 'version="1.2.3",service="probe"')).to.equal(1);
  });

  it('a gauge that cannot be collected is left out of the scrape and counted, and the other metrics stay', async () => {
    const metrics = createMetrics('probe');
    let away = false;
    const store = (): number => {
      if (away) throw new Error('the store is unavailable');
      return 7;
    };
    metrics.gauge('vds_plain', 'plain', [], (gauge) => gauge.set(store()));
    metrics.gauge('vds_labelled', 'labelled', ['kind'], (gauge) => gauge.set({ kind: 'a' }, store()));
    metrics.counter('vds_others_total', 'others').inc();

    const before = await metrics.registry.metrics();
    expect([valueOn(before, 'vds_plain'), valueOn(before, 'vds_labelled')]).to.deep.equal([7, 7]);
    expect(valueOn(before, 'vds_metrics_failures_total', 'metric="vds_plain"')).to.equal(0);
    away = true;
    const page = await metrics.registry.metrics();
    expect([valueOn(page, 'vds_plain'), valueOn(page, 'vds_labelled')]).to.deep.equal([undefined, undefined]);
    expect(valueOn(page, 'vds_others_total')).to.equal(1);
    const next = await metrics.registry.metrics();
    expect(valueOn(next, 'vds_metrics_failures_total', 'metric="vds_plain"')).to.be.at.least(1);
    away = false;
    expect(valueOn(await metrics.registry.metrics(), 'vds_plain')).to.equal(7);
  });

  it('a metric that is asked for again is the same one, and a gauge is collected as it was asked for last', async () => {
    const metrics = createMetrics('probe');
    for (const value of [1, 2, 3, 4, 5]) {
      metrics.counter('vds_others_total', 'others').inc();
      metrics.histogram('vds_wait_seconds', 'waits').observe(value);
      metrics.gauge('vds_plain', 'plain').inc();
      metrics.gauge('vds_held', 'held', [], (gauge) => gauge.set(value));
    }
    const page = await metrics.registry.metrics();
    const values = ['vds_others_total', 'vds_wait_seconds_count', 'vds_plain', 'vds_held'];
    expect(values.map((name) => valueOn(page, name))).to.deep.equal([5, 5, 5, 5]);
  });

  it('a scrape does not wait for a gauge that hangs', async () => {
    const metrics = createMetrics('probe', '1', 50);
    metrics.gauge('vds_hanging', 'hangs', [], () => new Promise<void>(() => {}));
    const page = await metrics.registry.metrics();
    expect(valueOn(page, 'vds_hanging')).to.equal(undefined);
    expect(page).to.include('process_start_time_seconds');
  });

  it('the readiness probe and each of its checks are exported', async () => {
    const metrics = createMetrics('probe');
    const health = await startHealth(0, metrics, quiet);
    try {
      let store = Promise.resolve();
      health.add('store', () => store);
      health.add('bus', async () => {});
      expect(valueOn(await metrics.registry.metrics(), 'vds_ready')).to.equal(0);
      health.serving();
      expect(valueOn(await metrics.registry.metrics(), 'vds_ready')).to.equal(1);
      store = Promise.reject(new Error('away'));
      const page = await metrics.registry.metrics();
      expect(valueOn(page, 'vds_ready')).to.equal(0);
      expect(valueOn(page, 'vds_check_passes', 'check="store"')).to.equal(0);
      expect(valueOn(page, 'vds_check_passes', 'check="bus"')).to.equal(1);
    } finally {
      await health.close();
    }
  });
});
