/** A database that becomes silent in the middle of a decision's transaction, like a suspended server. */
import { openPool } from '@vds/chassis/database/database';
import { classify } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { decideCommand } from '../../src/domain/plan.ts';
import { openVideoStore } from '../../src/outbound/video-store.ts';
import { contextAt } from '../domain/fixtures.ts';
import type { Harness } from '../service/harness.ts';
import { actOn } from '../service/partner.ts';
import { commonHarness } from '../service/shared-fixture.ts';

/** In milliseconds. */
const limits = { statement: 2_500, lock: 1_000, acquire: 2_000, silent: 800 };
const by = { actor: 'test', action: 'archive' };

describe('a database that becomes silent during a decision', function () {
  this.timeout(60_000);
  let harness: Harness;
  let proxy: CuttingProxy;
  let pool: ReturnType<typeof openPool>;
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  /** How many more statements reach the server with a reply. */
  let answered = Infinity;

  before(async () => {
    harness = await commonHarness();
    proxy = await openCuttingProxy();
    proxy.forwardTo(harness.database.poolConfig.port);
    const url = new URL(harness.database.url);
    url.port = String(proxy.port);
    const config = { databaseUrl: url.href, databasePassword: harness.database.password, databasePoolSize: 2 };
    pool = openPool(config, 'catalog', createLogger('test', 'fatal'), limits);
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...all: unknown[]) => Promise<unknown>;
      client.query = ((...all: unknown[]) => {
        if (answered === 0) proxy.dropResponses();
        answered -= 1;
        return query(...all);
      }) as typeof client.query;
    });
    process.on('unhandledRejection', note);
  });
  after(async () => {
    process.off('unhandledRejection', note);
    await pool.close();
    await proxy.close();
  });

  const rowsOf = async (id: string) => {
    const { rows } = await harness.pool.query<{ state: string; clips: number; audit: number }>(
      `SELECT state, (SELECT count(*)::int FROM clips WHERE video_id = v.id) AS clips,
        (SELECT count(*)::int FROM audit WHERE video_id = v.id AND actor = 'test') AS audit FROM videos v WHERE id = $1`,
      [id],
    );
    return rows[0];
  };
  const untouched = { state: 'ready', clips: 1, audit: 0 };
  const archived = { state: 'archived', clips: 0, audit: 1 };

  // Of an archive: the snapshot, BEGIN, the row, the rest, COMMIT.
  for (const statement of [1, 2, 3, 4, 5])
    it(`an archive whose statement ${statement} stays without a reply ends as a dependency error, and is complete or not made`, async () => {
      const { id } = await actOn(harness).ready();
      const store = openVideoStore({
        ...{ pool, notify: () => {}, onPlan: [] },
        times: { ...contextAt(new Date()), republishFirstMs: 1_000 },
      });
      const archive = () =>
        store.change(id, (snapshot, context) => decideCommand(snapshot, { type: 'archive' }, context), by);
      answered = statement - 1;
      const outcome = await archive().then(
        () => 'succeeded',
        (error: unknown) => classify(error).class,
      );
      expect(outcome).to.equal('dependency');
      answered = Infinity;
      proxy.cut();
      await until(async () => pool.totalCount === pool.idleCount, { what: 'no connection is in use' });
      // The server may have committed without its confirmation being read.
      expect(await rowsOf(id)).to.deep.equal(statement === 5 ? archived : untouched);
      await archive();
      expect(await rowsOf(id)).to.include({ state: 'archived', clips: 0 });
      expect(unhandled).to.deep.equal([]);
    });
});
