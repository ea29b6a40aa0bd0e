import { expect } from 'chai';
import { startHealth } from '../../src/process/health.ts';
import { createMetrics, together } from '../../src/telemetry/metrics.ts';

/** Value of a series, undefined where the page has none; `labels` as the page writes them, without `service`. */
function valueOn(page: string, name: string, labels = ''): number | undefined {
  const line = page.split('\n').find((one) => one.startsWith(`${name}{${labels}`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('metrics', () => {
  it('says which version runs', async () => {
    const page = await createMetrics('probe', '1.2.3').registry.metrics();
    expect(valueOn(page, 'vds_build_info', 'version="1.2.3",service="probe"')).to.equal(1);
  });

  it('leaves a value out that cannot be had, keeps the rest of the page, and counts it', async () => {
    const metrics = createMetrics('probe');
    let away = false;
    const store = (): number => {
      if (away) throw new Error('the store is away');
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

  it('does not wait for a value that never comes', async () => {
    const metrics = createMetrics('probe', '1', 50);
    metrics.gauge('vds_hanging', 'hangs', [], () => new Promise<void>(() => {}));
    const page = await metrics.registry.metrics();
    expect(valueOn(page, 'vds_hanging')).to.equal(undefined);
    expect(page).to.include('process_start_time_seconds');
  });

  it('asks once for all that want the same, and again the next time', async () => {
    let asked = 0;
    const look = together(async () => (asked += 1));
    expect(await Promise.all([look(), look()])).to.deep.equal([1, 1]);
    expect(await look()).to.equal(2);
  });

  it('tells what the probes see', async () => {
    const metrics = createMetrics('probe');
    const health = await startHealth(0, metrics);
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
