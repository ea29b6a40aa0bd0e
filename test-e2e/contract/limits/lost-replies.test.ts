/** A CreateVideo whose reply is lost is retried by the gateway: one 202, one video, one charge. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { StackProcess } from '@vds/testkit/stack/processes';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { submission } from '../../probes/timed-request.ts';
import { useLimitsStack } from '../../harness/host/limits-stack.ts';

/** Whether process `pid` holds the end of a TCP connection of IPv4 that has this local port. */
function holdsPort(pid: number | undefined, port: number): boolean {
  if (pid === undefined) return false;
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const row = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, , state]) => local?.endsWith(`:${hex}`) === true && state === '01');
  const inode = row?.[9];
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`;
    } catch {
      return false; // closed in the meantime
    }
  });
}

describe('a CreateVideo whose reply is lost', function () {
  this.timeout(120_000);
  const limits = useLimitsStack();

  for (const times of [1, 2]) {
    it(`a CreateVideo whose reply is lost ${times === 1 ? 'once' : 'twice'} is charged once, also as the last of the day`, async () => {
      const { freshKey, sendRoundRobin, proxies, charges } = limits();
      const { key, secretKey } = await freshKey({ dailyLimit: 1 });
      for (const proxy of proxies) proxy.dropResponses();
      const answer = sendRoundRobin(secretKey, submission);
      await until(async () => (await charges(key.id)).videos === 1, { what: 'the video is committed' });
      for (const proxy of proxies) proxy.cut();
      if (times === 2) {
        for (const proxy of proxies) proxy.dropResponses();
        // The second reply is lost once a proxy has dropped bytes.
        await until(() => proxies.some((proxy) => proxy.droppedBytes() > 0), { what: 'the repeat is answered' });
        for (const proxy of proxies) proxy.cut();
      }
      const { id, ...seen } = await answer;
      expect(seen).to.include({ status: 202, daily: '0' });
      expect(await charges(key.id)).to.deep.equal({ used: 1, videos: 1 });
      expect((await sendRoundRobin(secretKey, { method: 'GET', path: `/v1/videos/${id}` })).status).to.equal(200);
      expect((await sendRoundRobin(secretKey, submission)).code).to.equal('daily_ingest_limit');
    });
  }

  it('a CreateVideo whose catalog is killed in the middle is charged once, also as the last of the day', async () => {
    const { freshKey, sendRoundRobin, stack, charges } = limits();
    const { key, secretKey } = await freshKey({ dailyLimit: 1 });
    const pool = stack.adminPool('catalog');
    const role = new URL(stack.login('catalog').url).username;
    await pool.query(
      `INSERT INTO daily_counts SELECT $1, (COALESCE(frozen, pg_catalog.now() + ahead) AT TIME ZONE 'UTC')::date, 0 FROM clock.setting`,
      [key.id],
    );
    const lock = await pool.connect();
    const waiting = async (): Promise<number[]> => {
      const { rows } = await pool.query<{ port: number }>(
        `SELECT client_port AS port FROM pg_stat_activity WHERE usename = $1 AND wait_event_type = 'Lock'`,
        [role],
      );
      return rows.map(({ port }) => port);
    };
    let killed: StackProcess | undefined;
    let answer: ReturnType<typeof sendRoundRobin>;
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM daily_counts WHERE budget_id = $1 FOR UPDATE', [key.id]);
      answer = sendRoundRobin(secretKey, submission);
      await until(async () => (await waiting()).length === 1, { what: 'the charge waits' });
      const [port = 0] = await waiting();
      killed = stack.processes.find(({ service, pid }) => service === 'catalog' && holdsPort(pid(), port));
      await killed?.kill('SIGKILL');
      await until(async () => (await waiting()).some((one) => one !== port), { what: 'the repeat waits too' });
    } finally {
      await lock.query('COMMIT');
      lock.release();
    }
    expect(killed).not.to.equal(undefined);
    expect(await answer).to.include({ status: 202, daily: '0' });
    expect(await charges(key.id)).to.deep.equal({ used: 1, videos: 1 });
    killed?.start();
    await killed?.ready();
  });
});
