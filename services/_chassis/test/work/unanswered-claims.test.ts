/** A claim that the database has carried out, while its reply is lost with the connection. */
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { openPool } from '../../src/database/database.ts';
import { addJobRows } from '../../src/work/job-rows.ts';
import { quiet } from '../fixtures.ts';
import { done, jobOf, workKit } from './work-kit.ts';

describe('a claim whose reply is lost', () => {
  const { pool, database, workers, row } = workKit();

  it('costs the job nothing: the process that claimed it releases it at once, and spares what others hold', async () => {
    const proxy = await openCuttingProxy();
    const { url: direct, password: databasePassword, poolConfig } = database();
    proxy.forwardTo(poolConfig.port);
    const url = new URL(direct);
    url.port = String(proxy.port);
    const behind = openPool({ databaseUrl: url.href, databasePassword, databasePoolSize: 2 }, 'test', quiet);
    const held = Promise.withResolvers<void>();
    try {
      await addJobRows(pool(), [jobOf('held')]);
      const other = workers(async (job) => {
        await held.promise;
        await job.complete();
      });
      await until(async () => (await row('held'))?.state === 'running', { what: 'the claim of the other process' });
      await behind.query('SELECT 1'); // The claim gets this connection.
      proxy.dropResponses();
      await addJobRows(pool(), [jobOf('a')]);
      const cut = workers(done, {}, { pool: behind });
      await until(async () => (await row('a'))?.state === 'running', { what: 'the claim' });
      proxy.cut();
      await until(async () => (await row('a'))?.state === 'done', { what: 'the job is done' });
      expect(await row('a')).to.include({ fence: 2, tries: 0, crashes: 0 });
      expect(await row('held')).to.include({ state: 'running', fence: 1 });
      held.resolve();
      await until(async () => (await row('held'))?.state === 'done', { what: 'the job of the other process' });
      await other.close();
      await cut.close();
    } finally {
      held.resolve();
      await behind.close();
      await proxy.close();
    }
  });
});
