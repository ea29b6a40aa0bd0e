/** The check of alerts and dashboards finds injected violations; promtool's own findings are not tested here. */
import { expect } from 'chai';
import { stageOwners } from '@vds/proto/stages';
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { completenessFaults, readAlerts, type AlertFiles } from './alert-files.ts';
import { alertExpressionFaults, unreadMetrics } from './alerts.ts';
import { dashboardFaults, readDashboards } from './dashboard-files.ts';
import { metricsIn, readCode, type Code } from './metric-definitions.ts';
import { expressionFaults, templateFaults } from './metrics.ts';

const root = new URL('../../../../', import.meta.url).pathname;

describe('the check of PromQL expressions', () => {
  const code: Code = {
    metrics: new Map([
      ['vds_tries_total', { kind: 'counter', labels: ['queue', 'outcome'] }],
      ['vds_took_seconds', { kind: 'histogram', labels: ['queue'], buckets: [0.5, 1] }],
    ]),
    services: new Set(['ingest']),
    text: `tries.inc({ queue: 'fetch', outcome: 'done' }); const queues = { encode: 1 };`,
  };
  const records = new Map([['vds:tries:ratio_rate5m', ['level']]]);
  const faults = (expression: string): string => expressionFaults(expression, code, records).join('; ');

  it('the check of PromQL expressions accepts metrics, labels and buckets that the code has', () => {
    const right = [
      'sum by (namespace, queue) (rate(vds_tries_total{service="ingest", queue=~"fetch|encode", outcome!="done"}[5m]))',
      'histogram_quantile(0.9, sum by (le, queue) (rate(vds_took_seconds_bucket{queue="fetch", le="0.5"}[5m])))',
      'vds:tries:ratio_rate5m{level="any"} > on () group_left () vector(1) and on (namespace) up{part_of="vds"} == 0',
      'label_replace(up, "component", "$1", "pod", "(.+)-x") and on (component) up',
    ];
    expect(right.map(faults)).to.deep.equal(right.map(() => ''));
  });
  it('the check of PromQL expressions finds a metric and a recording rule that do not exist', () => {
    expect(faults('vds_try_total > 0')).to.equal('vds_try_total is no metric of the code');
    expect(faults('vds:tries:ratio_rate6m')).to.include('is no metric');
    expect(faults('kube_pod_info')).to.include('is no metric');
  });
  it('the check of PromQL expressions finds a histogram used as a number, and a number used as a histogram', () => {
    expect(faults('vds_took_seconds')).to.equal('vds_took_seconds is a histogram');
    expect(faults('vds_tries_total_count')).to.equal('vds_tries_total_count is a counter');
  });
  it('the check of PromQL expressions finds a label, a label value, a service and a bucket that do not exist', () => {
    expect(faults('vds_tries_total{reason="x"}')).to.equal('vds_tries_total has no label reason');
    expect(faults('vds_tries_total{outcome="gone"}')).to.equal('no outcome is ever gone');
    expect(faults('vds_tries_total{queue=~"fetch|upload"}')).to.equal('no queue is ever upload');
    expect(faults('vds_tries_total{service="ingress"}')).to.equal('there is no service ingress');
    expect(faults('vds_took_seconds_bucket{le="0.7"}')).to.equal('there is no bucket 0.7');
  });
  it('the check of PromQL expressions finds a grouping and a legend by a label that nothing has', () => {
    expect(faults('sum by (stage) (vds_tries_total)')).to.equal('nothing here has the label stage');
    expect(templateFaults('{{queue}} of {{ $labels.pod }}', 'sum by (queue) (x)')).to.deep.equal([]);
    expect(templateFaults('{{stage}}', 'sum by (queue) (x)').join()).to.include('{{stage}}');
  });
  it('the check of PromQL expressions reads metrics with labels and buckets where the code creates them', () => {
    const source = `const seconds = metrics.histogram<string>('vds_a_seconds', 'a', ['kind'], [1, 2_000]);
      metrics.gauge('vds_b', 'b', [], (gauge) => gauge.set(1)); new Counter({ name: 'vds_c_total', help, labelNames: ['x'] });
      metrics.gauge('other', 'o');`;
    expect(metricsIn('a.ts', source)).to.deep.equal([
      ['vds_a_seconds', { kind: 'histogram', labels: ['kind'], buckets: [1, 2_000] }],
      ['vds_b', { kind: 'gauge', labels: [], buckets: undefined }],
      ['vds_c_total', { kind: 'counter', labels: ['x'] }],
    ]);
  });
});

describe('the check of alerts', () => {
  it('a metric that no rule, dashboard or page names is found, and one whose sum or bucket is named is not', () => {
    const counter = { kind: 'counter', labels: [] } as const;
    const metrics = new Map(['vds_unread', 'vds_a_total', 'vds_b_seconds', 'process_x'].map((name) => [name, counter]));
    const readers = ['rate(vds_a_total[5m])', '`vds_b_seconds_bucket` and vds_unread_total'];
    expect(unreadMetrics({ metrics }, readers).join('\n')).to.match(/^vds_unread is read by no [^\n]*$/);
  });

  const right = readAlerts(root);
  const faults = (change: Partial<AlertFiles>): string => completenessFaults({ ...right, ...change }).join('\n');

  it('the check of alerts accepts the committed alerts', async () => {
    expect(faults({})).to.equal('');
    expect(alertExpressionFaults(right, await readCode(root))).to.deep.equal([]);
  }).timeout(20_000);
  const withoutPage = [...right.pages].filter(([page]) => page !== 'messages/vds-outbox-stuck.md');
  it('the check of alerts finds an alert without a page, and a page without an alert or an entry in the index', () => {
    expect(faults({ pages: new Map(withoutPage) })).to.equal(
      'VdsOutboxStuck: deploy/runbooks/messages/vds-outbox-stuck.md is missing',
    );
    expect(faults({ pages: new Map([...right.pages, ['messages/vds-lost.md', '']]) })).to.equal(
      'deploy/runbooks/messages/vds-lost.md has no alert in the rule file of its folder\n' +
        'deploy/runbooks/README.md does not name messages/vds-lost.md',
    );
    expect(faults({ index: right.index.replace('(messages/vds-outbox-stuck.md)', '()') })).to.equal(
      'deploy/runbooks/README.md does not name messages/vds-outbox-stuck.md',
    );
  });
  for (const page of ['pipeline/vds-outbox-stuck.md', 'vds-outbox-stuck.md'])
    it(`the check of alerts finds that ${page} is not in the folder of its alert's rule file`, () => {
      expect(faults({ pages: new Map([...withoutPage, [page, '']]) }))
        .to.include('VdsOutboxStuck: deploy/runbooks/messages/vds-outbox-stuck.md is missing')
        .and.include(`deploy/runbooks/${page} has no alert in the rule file of its folder`);
    });
  it('the check of alerts finds an annotation that names a page of another group', () => {
    const rules = right.rules.map((rule) => (rule.alert === 'VdsOutboxStuck' ? { ...rule, group: 'pipeline' } : rule));
    expect(faults({ rules })).to.include(
      'VdsOutboxStuck: its runbook is deploy/runbooks/pipeline/vds-outbox-stuck.md\n',
    );
  });
  it('the check of alerts finds an alert that no test sees fire in each severity, or stay silent', () => {
    expect(faults({ tests: [] }))
      .to.include('VdsVideosFailing (page): no test sees it fire')
      .and.include('VdsVideosFailing (ticket): no test sees it fire')
      .and.include('VdsVideosFailing: no test sees it silent');
  });
  it('the check of alerts finds an unknown severity, and a missing summary or runbook', () => {
    const rules = [{ group: 'messages', alert: 'VdsOutboxStuck', expr: 'up', labels: { severity: 'critical' } }];
    expect(faults({ rules }))
      .to.include('VdsOutboxStuck: the severity is page or ticket')
      .and.include('VdsOutboxStuck: wants a summary')
      .and.include('VdsOutboxStuck: its runbook is deploy/runbooks/messages/vds-outbox-stuck.md');
  });
  it('the check of alerts finds a ratio that fires however few events there are, in one of two windows too', () => {
    const without = (alert: string, minimum: RegExp): string =>
      faults({
        rules: right.rules.map((rule) =>
          rule.alert === alert ? { ...rule, expr: rule.expr.replace(minimum, '') } : rule,
        ),
      });
    const message = (alert: string): string =>
      `${alert}: a ratio also wants a minimum number of events: and sum by (…) (increase(…)) >= 5`;
    expect(without('VdsRpcErrors', /and sum by[^]*$/)).to.equal(message('VdsRpcErrors'));
    expect(without('VdsApiErrorBudgetBurn', /and sum by .*\[(?:6h|3d)\].*/)).to.equal(
      [message('VdsApiErrorBudgetBurn'), message('VdsApiErrorBudgetBurn')].join('\n'),
    );
  });
  it('the check of alerts finds a number that no value can replace', () => {
    const rules = right.rules.map((rule) =>
      rule.alert === 'VdsOutboxStuck' ? { ...rule, expr: rule.expr.replace(' # threshold', '') } : rule,
    );
    expect(faults({ rules })).to.equal(
      'VdsOutboxStuck: its threshold is marked, so that a value can replace it: > 5 # threshold',
    );
  });
  it('a component that is down pages if partners, viewers or the apps call it themselves, and is a ticket if it is a worker', () => {
    const called = serviceNames.filter(
      (name) => (rowOf(name).apps === true && !stageOwners.includes(name)) || rowOf(name).ports.includes('http'),
    );
    const listed = (severity: string): string[] => {
      const [rule] = right.rules.filter(
        ({ alert, labels }) => alert === 'VdsComponentDown' && labels?.['severity'] === severity,
      );
      return [...(rule?.expr ?? '').matchAll(/service[=!]~"([^"]*)"/g)].map(([, names = '']) => names);
    };
    const names = ['gateway', 'auth', 'catalog', 'indexer', 'playback'];
    expect(names).to.have.members(called);
    for (const severity of ['page', 'ticket'])
      expect(new Set(listed(severity))).to.deep.equal(new Set([names.join('|')]));
  });
});

describe('the check of dashboards', () => {
  const committed = readDashboards(root);
  const overview = committed.get('overview.json') ?? '';
  const faultsAfter = (from: string, to: string): string => {
    expect(overview).to.include(from);
    return dashboardFaults(new Map([...committed, ['overview.json', overview.replace(from, to)]])).join('\n');
  };

  it('the check of dashboards accepts the committed dashboards', () =>
    expect(dashboardFaults(committed)).to.deep.equal([]));
  it('the check of dashboards finds two panels with one id, two dashboards with one uid, and a fixed data source', () => {
    expect(faultsAfter('"id": 3,', '"id": 2,')).to.include('two panels have the id 2');
    expect(faultsAfter('"uid": "vds-overview"', '"uid": "vds-workers"')).to.include('have the uid vds-workers');
    expect(faultsAfter('"uid": "${datasource}"', '"uid": "prometheus-main"')).to.include(
      'names the data source prometheus-main',
    );
  });
});
