/** A worker process for tests: a job with the payload `poison` kills the process with SIGKILL, as the kernel would. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../../src/database/database.ts';
import { AppError } from '../../src/errors.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { startWorkers } from '../../src/work/work.ts';
import { until } from '@vds/testkit/until';

const [databaseUrl = '', databasePassword = ''] = process.argv.slice(2);
const log = createLogger('test', 'warn');
const pool = openPool({ databaseUrl, databasePassword, databasePoolSize: 5 }, 'test', log);

startWorkers({
  ...{ pool, log, metrics: createMetrics('test'), leaseMs: 1_000, renewMs: 300, pollMs: 50, retryDelaysMs: [20] },
  queues: {
    q: {
      slots: 4,
      run: async (job) => {
        await pool.query('INSERT INTO runs (name, began) VALUES ($1, clock_timestamp())', [job.name]);
        if (job.payload === 'poison') {
          // Its neighbours have started by then, unless it runs alone, and have not ended.
          await until(besideOthersOrAlone, { what: 'its neighbours' });
          await sleep(250);
          process.kill(process.pid, 'SIGKILL');
        }
        await sleep(2_000, undefined, { signal: job.signal });
        await job.complete(async (client) => {
          await client.query('UPDATE runs SET ended = clock_timestamp() WHERE name = $1 AND ended IS NULL', [job.name]);
        });
      },
      failed: async (client, job, error) => {
        const reason = error instanceof AppError ? error.reason : undefined;
        await client.query('INSERT INTO failed_jobs VALUES ($1, $2)', [job.name, reason]);
      },
    },
  },
});

/** Each of the four jobs has begun as often as the one that kills, or that one has been killed twice. */
async function besideOthersOrAlone(): Promise<boolean> {
  const text = `SELECT count(*)::int AS begun, count(*) FILTER (WHERE name = 'poison')::int AS times FROM runs`;
  const { begun, times } = (await pool.query<{ begun: number; times: number }>(text)).rows[0] ?? { begun: 0, times: 1 };
  return times > 2 || begun === 4 * times;
}
