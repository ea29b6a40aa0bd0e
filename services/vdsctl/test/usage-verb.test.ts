import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { analytics } from '@vds/proto';
import type { AnalyticsAdminHandlers } from '@vds/proto/generated/vds/analytics/v1/AnalyticsAdmin.ts';
import type { QueryRequestOut } from '@vds/proto/generated/vds/analytics/v1/QueryRequest.ts';
import { serveRpc, service } from '@vds/chassis/rpc/rpc';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { adminPool, ctl, publisher, useStack, vdsctlToken } from './harness.ts';

type Usage = {
  readonly publishers: readonly Readonly<Record<string, unknown>>[];
  readonly total: Readonly<Record<string, unknown>>;
};

describe('vdsctl usage', function () {
  this.timeout(60_000);
  useStack();
  const asked: QueryRequestOut[] = [];
  let seen: readonly Readonly<Record<string, unknown>>[] = [];
  let stop: () => Promise<unknown>;
  let target: string;
  before(async () => {
    const refuse = (): never => {
      throw new Error('is not asked');
    };
    const rpc = await serveRpc({
      port: 0,
      services: [
        service<AnalyticsAdminHandlers>(
          analytics.AnalyticsAdmin.service,
          { Query: ['vdsctl'], DescribeAccess: [], DeleteViewer: [], DeleteOrganization: [] },
          {
            Query: async (request) => {
              asked.push(request);
              const rows = asked.length === 1 ? seen.map((row) => JSON.stringify(row)) : [];
              return { columns: [], rows, isCut: false };
            },
            ...{ DescribeAccess: refuse, DeleteViewer: refuse, DeleteOrganization: refuse },
          },
        ),
      ],
      log: createLogger('analytics', 'error', new Writable({ write: (_chunk, _encoding, done) => done() })),
      metrics: createMetrics('analytics'),
      config: {
        rpcCallers: [`vdsctl=${createHash('sha256').update(vdsctlToken()).digest('hex')}`],
        ...{ tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined },
      },
    });
    target = `127.0.0.1:${rpc.port}`;
    stop = rpc.close;
  });
  after(() => stop());

  it('a month has what each publisher brought in, has stored and had watched, and sums that are exact', async () => {
    const [one, other] = [await publisher(), await publisher()].toSorted() as [string, string];
    const add = `INSERT INTO publisher_months VALUES ($1, $2, $3, $4, $5)`;
    const pool = adminPool('catalog');
    await pool.query(add, [one, '2031-02-01', 90_000, 5, '9007199254740991']);
    await pool.query(add, [other, '2031-01-01', 60_000, 7, 2]);
    seen = [{ publisher_id: one, plays: '3', watched_ms: '9007199254740993' }];
    const environment = { VDSCTL_ANALYTICS: target };
    const { exit, out, err } = await ctl('usage --month 2031-02 --json', [], environment);
    expect(exit, err).to.equal(0);
    const { publishers, total } = JSON.parse(out) as Usage;
    const ofThese = publishers.filter((row) => [one, other].includes(String(row['publisher'])));
    expect(ofThese).to.deep.equal([
      {
        ...{ publisher: one, name: 'League', organization: 'Sports', media_ms: 90_000, fetched_bytes: 5 },
        ...{ stored_bytes: 9_007_199_254_740_991, plays: 3, watched_ms: '9007199254740993' },
      },
      {
        ...{ publisher: other, name: 'League', organization: 'Sports', media_ms: 0, fetched_bytes: 0 },
        ...{ stored_bytes: 2, plays: 0, watched_ms: 0 },
      },
    ]);
    expect(total).to.include({ media_ms: 90_000, stored_bytes: '9007199254740993', watched_ms: '9007199254740993' });
    expect(asked[0]).to.include({ fromDay: '2031-01-30', toDay: '2031-03-03' });
    expect(asked[0]?.sql).to.include("began_on >= '2031-02-01' AND began_on < '2031-03-01'");
    const csv = await ctl('usage --month 2031-02 --format csv', [], environment);
    expect(csv.out).to.match(/^publisher,name,organization,media_ms,fetched_bytes,stored_bytes,plays,watched_ms\r\n/);
    const text = await ctl('usage --month 2031-02', [], environment);
    expect(text.out)
      .to.match(/TOTAL|total/)
      .and.include('1.5');
  });

  it('no month is wrong usage', async () => {
    for (const month of ['2031-13', '2031-1', 'February'])
      expect((await ctl(`usage --month ${month}`)).exit, month).to.equal(2);
  });
});
