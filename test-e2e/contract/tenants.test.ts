/** Ten tenants at once over three gateways: no tenant sees, changes or pays for another's data. */
import { expect } from 'chai';
import { openLeakWatch } from '../probes/leak-watch.ts';
import { streamOf } from '../fixtures/tenant-steps.ts';
import { openTenant, type Common, type Tenant } from '../fixtures/tenant.ts';
import { sharedContract, type Contract } from '../harness/host/shared-contract.ts';

const long = process.env['VDS_LONG'] === '1';
const TENANTS = 10;
const OPERATIONS = long ? 100_000 : 2_500;
const seed = Number(process.env['VDS_SEED'] ?? Date.now() % 2 ** 31);

describe('separate publishers', function () {
  this.timeout(long ? 3_600_000 : 300_000);

  let contract: Contract;
  let common: Common;
  let tenants: readonly Tenant[];
  before(async () => {
    contract = await sharedContract();
    common = { contract, watch: openLeakWatch(), videos: [], leaks: [], surprises: [], replies: new Map() };
    tenants = await Promise.all(Array.from({ length: TENANTS }, (_, number) => openTenant(common, number)));
  });

  it('have separate spaces of keys and videos: no answer of any operation holds anything of another', async () => {
    const steps = streamOf(TENANTS, OPERATIONS, seed);
    const lanes = tenants.map(async (tenant, number) => {
      for (const step of steps.filter((one) => one.tenant === number)) await tenant.perform(step);
    });
    await Promise.all(lanes);
    const replies = [...common.replies].map(([reply, count]) => `${reply} ×${count}`).toSorted();
    console.log(
      `      seed ${seed}: ${steps.length} operations of ${TENANTS} tenants, ${common.videos.length} videos, ` +
        `${common.leaks.length} leaks, ${common.surprises.length} answers that the model does not have\n      ${replies.join(', ')}`,
    );
    expect(common.leaks, 'what was another’s').to.deep.equal([]);
    expect(common.surprises, 'answers that the model does not have').to.deep.equal([]);
    for (const reply of [
      '200 ready',
      '200 archived',
      '200 deleted',
      '200 failed',
      '404 not_found',
      '400 invalid_input',
    ])
      expect(common.replies.get(reply), reply).to.be.greaterThan(0);
  });

  it('are told apart by this very search, which finds a planted record of another', async () => {
    const [one, two] = tenants;
    if (!one || !two) throw new Error('there are no tenants');
    expect(common.watch.strangers(0, `{"title":"Title ${one.mark} 1"}`)).to.deep.equal([]);
    expect(common.watch.strangers(0, `{"title":"Title ${two.mark} 1"}`)).to.deep.equal([two.mark]);
    const id = two.own[0]?.id ?? '';
    expect(common.watch.strangers(0, `location: /v1/videos/${id}`)).to.deep.equal([id.replace('vid_', '')]);
    expect(common.watch.size()).to.be.greaterThan(common.videos.length);
  });

  it('own afterwards exactly the videos that they made, every row still with its maker', async () => {
    const { rows } = await contract.stack
      .adminPool('catalog')
      .query<{ id: string; publisher_id: string; title: string }>(
        'SELECT id, publisher_id, title FROM videos WHERE publisher_id = ANY($1)',
        [tenants.map(({ publisherId }) => publisherId)],
      );
    const made = common.videos.map(({ id, tenant }) => [id.replace('vid_', ''), tenants[tenant]?.publisherId]);
    expect(Object.fromEntries(rows.map((row) => [row.id, row.publisher_id]))).to.deep.equal(Object.fromEntries(made));
    const marks = new Map(tenants.map(({ publisherId, mark }) => [publisherId, mark]));
    expect(rows.filter((row) => !row.title.includes(marks.get(row.publisher_id) ?? '?'))).to.deep.equal([]);
  });

  it('are charged for exactly the videos that were accepted from them, key by key', async () => {
    const charged = new Map(tenants.flatMap((tenant) => [...tenant.charged]));
    const { rows } = await contract.stack
      .adminPool('catalog')
      .query<{ budget_id: string; used: number }>(
        'SELECT budget_id, sum(used)::int AS used FROM daily_counts WHERE budget_id = ANY($1) GROUP BY 1',
        [[...charged.keys()]],
      );
    expect(Object.fromEntries(rows.map((row) => [row.budget_id, row.used]))).to.deep.equal(Object.fromEntries(charged));
  });
});
