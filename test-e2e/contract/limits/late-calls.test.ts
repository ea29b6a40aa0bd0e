/** A CreateVideo that its caller has abandoned, and answered with a 500, is not executed afterwards. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalog } from '@vds/proto';
import type { CatalogServiceClient } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { useLimitsStack, type LimitsStack } from '../../harness/host/limits-stack.ts';
import { noTls } from '@vds/testkit/harness/rpc-callers';

function request(budgetId: string) {
  return {
    id: `0${randomBytes(13).toString('hex').slice(1)}`,
    publisherId: 'late',
    keyId: 'late',
    budgetId,
    dailyLimit: 5,
    sourceUrl: 'https://media.example.com/final.mp4',
    title: 'Too late',
    languageCode: 'en',
  };
}

/** A client of only the first catalog, configured as the gateway's. */
function firstCatalog({ stack }: LimitsStack) {
  return rpcClient<CatalogServiceClient>(catalog.CatalogService, {
    target: `dns:///127.0.0.1:${stack.process('catalog').ports.rpc}`,
    config: { rpcToken: stack.tokens.gateway, ...noTls },
    timeoutMs: 60_000,
  });
}

describe('a CreateVideo that its caller has abandoned', function () {
  this.timeout(120_000);
  const limits = useLimitsStack();
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'answered',
      ({ code }: { code: string }) => code,
    );

  it('an abandoned CreateVideo is not started by a catalog that was stopped in the meantime', async () => {
    const { stack, charges } = limits();
    const client = firstCatalog(limits());
    const pid = stack.process('catalog').pid() ?? 0;
    try {
      await client.GetDailyCount({ budgetId: 'frozen', dailyLimit: 5 });
      process.kill(pid, 'SIGSTOP');
      const calls = Array.from({ length: 5 }, () => codeOf(client.CreateVideo(request('frozen'), { timeoutMs: 500 })));
      expect(await Promise.all(calls)).to.deep.equal(calls.map(() => 'DEADLINE_EXCEEDED'));
      await sleep(100); // time for the cancellations to arrive
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    // Any effect of those calls precedes the response to the next call on the same connection.
    const { daily } = await client.CreateVideo(request('frozen'));
    expect(daily?.remaining).to.equal(4);
    expect(await charges('frozen')).to.deep.equal({ used: 1, videos: 1 });
    await client.close();
  });

  it('an abandoned CreateVideo is not finished when the row of the day was locked in the meantime', async () => {
    const { stack, charges } = limits();
    const client = firstCatalog(limits());
    const pool = stack.adminPool('catalog');
    await client.CreateVideo(request('locked'));
    const waiting = async (): Promise<number> =>
      (
        await pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%daily_counts%'
        AND datname = current_database()`)
      ).rowCount ?? 0;
    const lock = await pool.connect();
    try {
      await lock.query('BEGIN');
      await lock.query(`SELECT FROM daily_counts WHERE budget_id = 'locked' FOR UPDATE`);
      const call = codeOf(client.CreateVideo(request('locked'), { timeoutMs: 2_000 }));
      await until(async () => (await waiting()) === 1, { what: 'the charge waits' });
      expect(await call).to.equal('DEADLINE_EXCEEDED');
      expect(await waiting()).to.equal(1);
    } finally {
      await lock.query('COMMIT');
      lock.release();
    }
    await until(async () => (await waiting()) === 0, { what: 'the charge is given up' });
    expect((await client.CreateVideo(request('locked'))).daily?.remaining).to.equal(3);
    expect(await charges('locked')).to.deep.equal({ used: 2, videos: 2 });
    await client.close();
  });
});
