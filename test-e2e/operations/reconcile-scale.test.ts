/** How long a comparison of a large catalogue takes, and the repair of a restored catalog's losses. */
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { openRestoreStack, type RestoreStack } from '../harness/restore-stack.ts';
import { targetKind } from '../harness/target-kind.ts';
import { copyVideo } from '../probes/copy-video.ts';
import { leftoversOf } from '../probes/leftovers.ts';

const COPIES = 10_000;
const LOST = 100;

describe('reconciling a catalogue of 10,000 videos', function () {
  this.timeout(900_000);
  let stack: RestoreStack;
  before(async function () {
    if (targetKind() !== 'host') skipBecause(this, 'needs databases of this host that it may fill');
    if (process.env['VDS_LONG'] !== '1') skipBecause(this, 'takes minutes: npm run test:long');
    stack = await openRestoreStack();
  });
  after(() => stack?.close());

  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work();
    console.log(`      ${what}: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    return result;
  };

  it('nothing differs in copies, videos that catalog has lost are purged, and all others are left as they are', async () => {
    const { site } = stack.target;
    const original = await stack.publish('original');
    await stack.isWhole(original, 'original');
    const ids = await timed(`${COPIES} copies made`, () => copyVideo(site, original, COPIES));
    const clean = await timed('compared', () => stack.reconcile());
    expect(clean.findings.slice(0, 5)).to.deep.equal([]);
    expect(clean.code).to.equal(0);

    const forgotten = ids.slice(0, LOST);
    await site.adminPool('catalog').query('DELETE FROM stages WHERE video_id = ANY ($1)', [forgotten]);
    await site.adminPool('catalog').query('DELETE FROM videos WHERE id = ANY ($1)', [forgotten]);
    const found = new Set((await stack.reconcile()).findings.map(({ video_id: id }) => id));
    expect([...found].toSorted()).to.deep.equal(forgotten);
    await timed(`${LOST} videos purged, and compared until nothing is left`, () => stack.settle());
    await until(async () => (await leftoversOf(site, forgotten[0] ?? '')).length === 0, { what: 'nothing is left' });
    const { rows } = await site
      .adminPool('catalog')
      .query<{ state: string; n: number }>('SELECT state, count(*)::int AS n FROM videos GROUP BY state');
    expect(rows).to.deep.equal([{ state: 'ready', n: COPIES + 1 - LOST }]);
  });
});
