/** Ten tenants at once over three gateways: no tenant sees, changes or pays for another's data. */
import { expect } from 'chai';
import { openLeakWatch } from '../probes/leak-watch.ts';
import { streamOf } from '../fixtures/tenant-steps.ts';
import { openTenant, type Common, type Tenant } from '../fixtures/tenant.ts';
import { sharedContract, type Contract } from '../harness/host/shared-contract.ts';

const long = process.env['VDS_LONG'] === '1';
const TENANTS = 10;
const OPERATIONS = long ? 100_000 : 1_000;
const seed = Number(process.env['VDS_SEED'] ?? Date.now() % 2 ** 31);

describe('separate publishers', function () {
  this.timeout(long ? 3_600_000 : 300_000);

  let contract: Contract;
  let common: Common;
  let tenants: readonly Tenant[];
  before(async () => {
    contract = await sharedContract();
    common = { contract, watch: openLeakWatch(), videos: [], leaks: [], unexpected: [], replies: new Map() };
    tenants = await Promise.all(Array.from({ length: TENANTS }, (_, number) => openTenant(common, number)));
  });

  it('no response of any operation contains anything of another publisher', async () => {
    const steps = streamOf(TENANTS, OPERATIONS, seed);
    const clients = tenants.map(async (tenant, number) => {
      for (const step of steps.filter((one) => one.tenant === number)) await tenant.perform(step);
    });
    await Promise.all(clients);
    const replies = [...common.replies].map(([reply, count]) => `${reply} ×${count}`).toSorted();
    console.log(
      `      seed ${seed}: ${steps.length} operations of ${TENANTS} tenants, ${common.videos.length} videos, ` +
        `${common.leaks.length} leaks, ${common.unexpected.length} answers that the model does not have\n      ${replies.join(', ')}`,
    );
    expect(common.leaks, 'what was another’s').to.deep.equal([]);
    expect(common.unexpected, 'answers that the model does not have').to.deep.equal([]);
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

  it('the leak search finds a planted record of another publisher', async () => {
    const [one, two] = tenants;
    if (!one || !two) throw new Error('there are no tenants');
    expect(common.watch.foreignTokens(0, `{"title":"Title ${one.mark} 1"}`)).to.deep.equal([]);
    expect(common.watch.foreignTokens(0, `{"title":"Title ${two.mark} 1"}`)).to.deep.equal([two.mark]);
    const id = two.own[0]?.id ?? '';
    expect(common.watch.foreignTokens(0, `location: /v1/videos/${id}`)).to.deep.equal([id.replace('vid_', '')]);
    expect(common.watch.size()).to.be.greaterThan(common.videos.length);
  });

  it('every publisher owns exactly the videos that it created', async () => {
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

  it('every key is charged for exactly its accepted videos', async () => {
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
