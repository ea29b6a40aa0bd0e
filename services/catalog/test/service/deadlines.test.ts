/** Deadlines of stages, the end of failed videos, and the rate of republishing. */
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { newId, startHarness, type Harness } from './harness.ts';
import { actOn, firstOf, type Acting } from './partner.ts';
import { purgeOwners } from '../domain/stages.ts';

describe('deadlines', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    const deadlines = { FETCH_DEADLINE: '1s', INSPECT_DEADLINE: '1s', ENCODE_DEADLINE: '0s', ASSEMBLE_DEADLINE: '0s' };
    harness = await startHarness({ ...deadlines, FAILED_KEEP: '2s', REPUBLISH_RATE: '50' });
    act = actOn(harness);
  });
  after(() => harness.close());

  it('a started stage fails at its deadline, and the failed video is deleted later with its failure', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await harness.publish(events.fetchStarted, { videoId: video.id, attempt: 1 });
    const { failure } = await act.stateIs(video, 'FAILED');
    expect(failure).to.deep.include({ code: 'internal_error', stage: 'fetch', retryable: true });
    await act.complete.fetch(video.id);
    expect((await act.stateIs(video, 'DELETED')).failure?.code).to.equal('internal_error');
    expect(await act.ledger(video.id)).to.deep.equal(purgeOwners.map((owner) => `${owner} VIDEO 0`).toSorted());
    const { entries } = await firstOf(harness).adminAs('vdsctl').GetHistory({ videoId: video.id });
    expect(entries.map(({ actor, to }) => `${actor} ${to}`)).to.deep.equal([
      'partner processing',
      'catalog failed',
      'catalog deleted',
    ]);
  });

  it('the deadline of encode is eight times the duration of the video', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await act.complete.fetch(video.id);
    await act.awaitEvents(video.id, 'inspectRequested');
    await act.complete.inspect(video.id);
    await act.awaitEvents(video.id, 'encodeRequested');
    await harness.publish(events.encodeStarted, { videoId: video.id, attempt: 1 });
    await act.stageIs(video.id, 'encode', 'started');
    const { rows } = await harness.pool.query<{ ms: number }>(
      `SELECT EXTRACT(EPOCH FROM due_at - started_at)::float8 * 1000 AS ms FROM stages WHERE video_id = $1 AND stage = 'encode'`,
      [video.id],
    );
    expect(rows[0]?.ms).to.be.closeTo(8 * 24_600, 2);
  });

  it('republishing obeys its rate, oldest first', async () => {
    const ids = Array.from({ length: 100 }, newId);
    await harness.pool.query(
      `WITH made AS (INSERT INTO videos (id, publisher_id, key_id, budget_id, source_url, title, tags, language_code)
        SELECT id, 'p', 'k', 'b', 'https://media.example.com/x', 't', '{}', 'en' FROM unnest($1::text[]) AS id RETURNING id)
      INSERT INTO stages (video_id, attempt, stage, owner, next_republish_at)
      SELECT id, 1, 'fetch', 'ingest', now() - interval '1 hour' + array_position($1::text[], id) * interval '1 s' FROM made`,
      [ids],
    );
    const began = performance.now();
    const published = () =>
      harness.published.filter(
        ({ name, payload }) => name === 'fetchRequested' && ids.includes(String(payload['videoId'])),
      );
    await until(() => published().length >= 100, { what: 'all are republished' });
    const seconds = (performance.now() - began) / 1_000;
    expect(seconds).to.be.at.least(1.5);
    const first = new Set(
      published()
        .slice(0, 50)
        .map(({ payload }) => String(payload['videoId'])),
    );
    // Messages of one batch are published together and may overtake each other by one batch.
    expect([...first].filter((id) => ids.indexOf(id) < 60)).to.have.length(50);
  });
});
