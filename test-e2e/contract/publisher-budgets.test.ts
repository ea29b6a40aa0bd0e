/** The operator's budgets of a publisher, as the partner meets them at the gateway. */
import { expect } from 'chai';
import { bare } from '../harness/apps-client.ts';
import { outcomeOf, sharedContract, type Contract } from '../harness/host/shared-contract.ts';
import type { Partner } from '../harness/partner-client.ts';
import { until } from '@vds/testkit/until';

const source = 'https://origin.example.com/budget.mp4';
type Failed = { readonly error: { readonly code: string; readonly message: string } };

describe('the budgets of a publisher', function () {
  this.timeout(120_000);
  let contract: Contract;
  before(async () => {
    contract = await sharedContract();
  });

  /** A video whose stages complete; by their ids, the shared workers fail some. */
  const submit = async (partner: Partner, before = async (): Promise<unknown> => undefined): Promise<string> => {
    for (;;) {
      await before();
      const posted = await partner.call<{ id: string }>('POST', '/v1/videos', { source_url: source, title: 't' });
      // A video of before may have been fetched, and counted, in between.
      if (posted.status === 429) continue;
      const { id } = posted.body;
      await contract.workers.setReplies(bare(id), () => 'complete');
      if (outcomeOf(id) !== 'failed') return id;
    }
  };
  const ends = (partner: Partner, id: string, status: string) =>
    until(
      async () => {
        const record = await partner.get(id);
        return record.status === status && record;
      },
      { what: `${id} is ${status}`, capMs: 60_000 },
    );

  it('a publisher that has spent a budget of the day gets 429 with the budget’s name until the next day, and one over its stored bytes fails before encoding', async () => {
    const { videos, newPublisher, newKey, partner: partnerOf, stack } = contract;
    const publisherId = await newPublisher('Budgets');
    const partner = partnerOf((await newKey(publisherId)).secretKey);
    await ends(partner, await submit(partner), 'ready');
    const reason = 'agreement';
    await videos.SetBudgets({ publisherId, fetchedBytes: 1, storedBytes: 1, reason });
    const { status, headers, body } = await partner.call<Failed>('POST', '/v1/videos', {
      source_url: source,
      title: 't',
    });
    expect([status, body.error.code]).to.deep.equal([429, 'daily_ingest_limit']);
    expect(body.error.message).to.equal('The budget of fetched bytes of the day is spent.');
    expect(headers.get('x-ratelimit-daily-remaining')).to.equal('0');
    const untilMidnight = 86_400 - ((Date.now() / 1_000) % 86_400);
    expect(Math.abs(Number(headers.get('retry-after')) - untilMidnight)).to.be.below(60);
    const invalid = await partner.call('POST', '/v1/videos', { title: 't' });
    expect([invalid.status, invalid.headers.get('x-ratelimit-daily-remaining')]).to.deep.equal([400, '0']);

    const catalog = stack.adminPool('catalog');
    // A video that the workers fail may have been fetched before the next one is submitted.
    const nextDay = 'UPDATE publisher_usage SET day = day - 1 WHERE publisher_id = $1';
    const id = await submit(partner, () => catalog.query(nextDay, [publisherId]));
    const failed = await ends(partner, id, 'failed');
    expect(failed.failure).to.include({ code: 'publisher_quota_exceeded', retryable: false });
    const { rows } = await catalog.query('SELECT 1 FROM stages WHERE video_id = $1 AND stage = $2', [
      bare(id),
      'encode',
    ]);
    expect(rows).to.deep.equal([]);
  });
});
