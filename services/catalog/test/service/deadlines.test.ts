/** The waits for captions and metadata across an outage, the end of failed videos, and the rate of republishing. */
import { events } from '@vds/proto/events';
import { tracksAt } from '@vds/proto/testing/terminal-events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { newId, startHarness, type Harness } from './harness.ts';
import { actOn, firstOf, type Acting } from './partner.ts';
import { purgeOwners } from '../domain/stages.ts';

describe('times of videos', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await startHarness({ FAILED_KEEP: '2s', TIME_SCALE: 'minAwait=2s,deleteGrace=3s' });
    act = actOn(harness, 1_000);
  });
  after(() => harness.close());
  /** Starts catalog again after a kill. */
  const restart = async (): Promise<void> => {
    // Long enough to consume what was published before anything is decided on time.
    harness.processes[0] = await harness.start({ TIME_SCALE: 'decideAfterConnect=3s' });
    act = actOn(harness, 1_000);
  };

  it('a failed video is deleted later with its failure', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await harness.publish(events.fetchFailed, { videoId: video.id, attempt: 1, code: 'internal_error', details: {} });
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

  it('a video whose captions completed while catalog was unavailable for longer than the wait becomes ready with them', async () => {
    const video = await act.create();
    await act.runLadder(video.id);
    await act.stageIs(video.id, 'encode', 'completed');
    await firstOf(harness).kill9();
    const dueAt = async () =>
      (
        await harness.pool.query<{ past: boolean }>('SELECT due_at < now() AS past FROM videos WHERE id = $1', [
          video.id,
        ])
      ).rows[0]?.past;
    await until(dueAt, { what: 'the wait for captions has passed' });
    await act.complete.captions(video.id);
    await restart();
    await act.awaitEvents(video.id, 'metadataRequested');
    await act.complete.metadata(video.id);
    await act.stateIs(video, 'READY');
    const { rows } = await harness.pool.query<{ revision: number; late: boolean }>(
      `SELECT captions_revision AS revision, s.finished_at > v.ended_at AS late
       FROM videos v JOIN stages s ON s.video_id = v.id AND s.stage = 'captions' WHERE v.id = $1`,
      [video.id],
    );
    expect(rows).to.have.length(1);
    expect(rows[0]?.revision, 'captions are known').to.be.greaterThan(0);
    expect(rows[0]?.late, 'captions came before the video was ready').to.equal(false);
  });

  it('an outage longer than any stage used to take fails no video whose stages completed during it', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await harness.publish(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.stageIs(video.id, 'fetch', 'started');
    await firstOf(harness).kill9();
    await harness.pool.query(
      `UPDATE stages SET started_at = started_at - interval '1 day', requested_at = requested_at - interval '1 day'
       WHERE video_id = $1`,
      [video.id],
    );
    await act.complete.fetch(video.id);
    await restart();
    await act.awaitEvents(video.id, 'inspectRequested');
    expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_PROCESSING' });
  });

  it('a stage of which no event arrives is silent, and one of which none is open is not', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await harness.pool.query(`UPDATE stages SET requested_at = requested_at - interval '1 day' WHERE video_id = $1`, [
      video.id,
    ]);
    const silent = async (stage: string): Promise<number> =>
      Number(
        new RegExp(`vds_catalog_silent_seconds\\{stage="${stage}".*\\} ([0-9.e-]+)`).exec(
          await firstOf(harness).metrics(),
        )?.[1],
      );
    await until(async () => (await silent('fetch')) > 3, { what: 'fetch is silent' });
    const before = await silent('fetch');
    expect(await silent('metadata')).to.equal(0);
    await harness.publish(events.fetchStarted, { videoId: video.id, attempt: 1 });
    await act.stageIs(video.id, 'fetch', 'started');
    expect(await silent('fetch')).to.be.lessThan(before);
    await act.gateway.DeleteVideo(video);
  });

  it('republishing obeys its rate, 200 a second, oldest first', async () => {
    const ids = Array.from({ length: 400 }, newId);
    const began = performance.now();
    await harness.pool.query(
      `WITH made AS (INSERT INTO videos (id, publisher_id, key_id, budget_id, source_url, title, tags, language_code)
        SELECT id, 'p', 'k', 'b', 'https://media.example.com/x', 't', '{}', 'en' FROM unnest($1::text[]) AS id RETURNING id)
      INSERT INTO stages (video_id, attempt, stage, owner, next_republish_at)
      SELECT id, 1, 'fetch', 'ingest', now() - interval '1 hour' + array_position($1::text[], id) * interval '1 s' FROM made`,
      [ids],
    );
    const published = () =>
      harness.published.filter(
        ({ name, payload }) => name === 'fetchRequested' && ids.includes(String(payload['videoId'])),
      );
    await until(() => published().length >= 400, { what: 'all are republished' });
    const seconds = (performance.now() - began) / 1_000;
    expect(seconds).to.be.at.least(1.5);
    const first = new Set(
      published()
        .slice(0, 200)
        .map(({ payload }) => String(payload['videoId'])),
    );
    // Messages of one batch are published together and may overtake each other by one batch.
    expect([...first].filter((id) => ids.indexOf(id) < 240)).to.have.length(200);
  });

  it('a message that cannot be handled keeps no other video waiting for its captions', async () => {
    const poisoned = await act.create();
    await act.runLadder(poisoned.id);
    // PostgreSQL stores no such text.
    const state = { ...tracksAt(poisoned.id, 1), transcriptKey: 'nul\u0000' };
    await harness.publish(events.tracksChanged, { videoId: poisoned.id, attempt: 1, state });
    const video = await act.create();
    await act.runLadder(video.id);
    await act.stateIs(video, 'READY');
    const { rows } = await harness.pool.query('SELECT captions_revision AS revision FROM videos WHERE id = $1', [
      poisoned.id,
    ]);
    expect(rows, 'the message is not handled').to.deep.equal([{ revision: 0 }]);
  });
});
