/** Forty-four places between two effects, each with the service that is killed there. */
import { failpointNames, type FailpointName } from '@vds/chassis/failpoint/names';
import type { ServiceName } from '@vds/deploy-tools/services';

/** What passes the point: a processed video, a deleted one, or a rotated key. */
type Work = 'process' | 'delete' | 'rotate';
export type Row = {
  readonly service: ServiceName;
  readonly point: FailpointName;
  /** What has happened, and what has not yet. */
  readonly between: string;
  readonly work: Work;
  /** The pass at which the process is killed. */
  readonly nth: number;
};

function row(service: ServiceName, point: FailpointName, between: string, more: Partial<Row> = {}): Row {
  return { service, point, between, work: 'process', nth: 1, ...more };
}

export const rows: readonly Row[] = [
  row('gateway', 'gateway.request-authorized', 'the request is authorized, nothing is stored'),
  row('gateway', 'gateway.video-accepted', 'the video is stored, the partner has no response'),
  row('catalog', 'catalog.insert-ready', 'the statement that accepts a video is not sent'),
  row('catalog', 'catalog.insert-sent', 'the statement is sent, its commit is unknown'),
  row('catalog', 'catalog.decision-made', 'a decision is made, nothing of it is written'),
  row('catalog', 'catalog.decision-committed', 'a decision is committed, its events are not published'),
  row('catalog', 'outbox.rows-claimed', 'messages are claimed, none is published'),
  row('catalog', 'outbox.message-published', 'a batch is half published', { nth: 2 }),
  row('catalog', 'outbox.batch-published', 'a batch is published, its rows still exist'),
  row('ingest', 'work.job-claimed', 'the lease is taken, nothing is done'),
  row('ingest', 'ingest.address-resolved', 'the host is resolved, nothing is requested'),
  row('ingest', 'ingest.manifest-stored', 'the manifest is stored, no part of the source is'),
  row('ingest', 'ingest.part-begun', 'a part is half read'),
  row('ingest', 'ingest.part-stored', 'a part is stored, its row is not written'),
  row('ingest', 'ingest.head-recorded', 'head and tail of the source are stored and announced, its middle is not read'),
  row('ingest', 'work.job-finished', 'the fetch is committed, its event is not published'),
  row('transcode', 'work.job-claimed', 'the lease is taken, nothing is done'),
  row('transcode', 'transcode.head-copied', 'the head of a source is in the scratch folder, nothing has read it'),
  row('transcode', 'transcode.head-planned', 'a title is begun by its head, none of its pieces is'),
  row('transcode', 'transcode.source-copied', 'the source is in the scratch folder, nothing has read it', { nth: 2 }),
  row('transcode', 'transcode.packets-stored', 'the list of packets is stored, nothing is planned'),
  row('transcode', 'transcode.bytes-copied', 'parts of the source are in the scratch folder, nothing has read them'),
  row('transcode', 'transcode.encoder-started', 'ffmpeg runs'),
  row('transcode', 'transcode.segment-stored', 'some segments are stored', { nth: 2 }),
  row('transcode', 'transcode.result-stored', 'every segment is stored, the result is not written'),
  row('transcode', 'transcode.results-verified', 'the results are verified, no playlist is stored'),
  row('transcode', 'transcode.ladder-stored', 'the ladder is stored, the job is not complete'),
  row('transcode', 'work.job-finished', 'a job is committed, its event is not published', { nth: 2 }),
  row('captions', 'captions.sound-extracted', 'the sound is extracted, nothing is transcribed'),
  row('captions', 'captions.track-translated', 'a track is translated, nothing of it is stored'),
  row('captions', 'captions.track-stored', 'a track is stored, its row is not written'),
  row('captions', 'work.job-finished', 'a job is committed, its event is not published', { nth: 2 }),
  row('captions', 'captions.garbage-listed', 'garbage is listed, nothing is removed'),
  row('metadata', 'metadata.span-analyzed', 'a span is analyzed, nothing is written'),
  row('metadata', 'work.job-finished', 'a job is committed, its event is not published'),
  row('indexer', 'indexer.document-read', 'a document is built, the index is not written'),
  row('indexer', 'indexer.document-written', 'the index is written, the message is not acknowledged'),
  row('auth', 'auth.key-revoked', 'the old key is revoked, the new one does not exist', { work: 'rotate' }),
  row('catalog', 'catalog.command-committed', 'the deletion is committed, the partner has no response', {
    work: 'delete',
  }),
  row('transcode', 'objects.batch-removed', 'objects are removed, nothing is verified', { work: 'delete' }),
  row('transcode', 'purge.prefix-emptied', 'every object is gone, the rows are not', { work: 'delete' }),
  row('captions', 'purge.prefix-emptied', 'every object is gone, the final sweep is not confirmed', {
    work: 'delete',
    nth: 3,
  }),
  row('indexer', 'indexer.video-purged', 'only a tombstone is in the index, the purge is not confirmed', {
    work: 'delete',
  }),
  row(
    'ingest',
    'objects.uploads-aborted',
    'the unfinished uploads of a video are aborted, its objects are not removed',
    {
      work: 'delete',
    },
  ),
];

/** Points that no row names. */
export const unused = failpointNames.filter((name) => !rows.some(({ point }) => point === name));

/** Groups in which each service is killed at most once during each kind of work, so that one video passes all of them. */
export function groupRows(list: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  const seen = new Map<string, number>();
  for (const one of list) {
    const key = `${one.service} ${one.work}`;
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    (groups[index] ??= []).push(one);
  }
  return groups;
}
