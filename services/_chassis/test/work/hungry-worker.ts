/** A worker process for tests: a job with the payload `poison` runs a program that takes all memory. */
import { tmpdir } from 'node:os';
import { openPool } from '../../src/database/database.ts';
import { AppError } from '../../src/errors.ts';
import { runProgram } from '../../src/sandbox/programs.ts';
import { testSandbox } from '@vds/testkit/harness/sandbox';
import { withScratch } from '../../src/sandbox/scratch.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { startWorkers } from '../../src/work/work.ts';

const [databaseUrl = '', databasePassword = ''] = process.argv.slice(2);
const log = createLogger('test', 'fatal');
const pool = openPool({ databaseUrl, databasePassword, databasePoolSize: 5 }, 'test', log);
const tools = { sandbox: await testSandbox(), memoryBytes: 2 ** 32, log };
const programs = {
  poison: { name: 'tail', command: '/usr/bin/tail', args: ['/dev/zero'] }, // it keeps a line that never ends
  neighbour: { name: 'sleep', command: '/usr/bin/sleep', args: ['3'] },
};

startWorkers({
  ...{ pool, log, metrics: createMetrics('test'), leaseMs: 1_000, renewMs: 300, pollMs: 50, retryDelaysMs: [20] },
  queues: {
    q: {
      slots: 4,
      run: async (job) => {
        const program = programs[job.payload === 'poison' ? 'poison' : 'neighbour'];
        const { signal } = job;
        await withScratch(tmpdir(), 'test', (scratch) =>
          runProgram(tools, program, { scratch, signal, timeoutMs: 60_000 }),
        );
        await job.complete();
      },
      failed: async (client, job, error) => {
        const reason = error instanceof AppError ? error.reason : undefined;
        await client.query('INSERT INTO failed_jobs VALUES ($1, $2)', [job.name, reason]);
      },
    },
  },
});
