/** One try to fetch a source into the bucket: resumes after the last stored part, or starts over. */
import type { Pool } from '@vds/chassis/database/database';
import { AppError, messageOf } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { attemptPrefix, newJobFolder } from '@vds/chassis/objects/keys';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Wanted } from '../domain/source-response.ts';
import { bytesOf, isComplete, type Stored, type StoredPart, type Upload } from '../domain/stored-source.ts';
import { recordPart, recordUpload, type ClaimedFetch } from './fetch-rows.ts';
import type { OpenSource } from './open-source.ts';
import { openReader, type SourceReader } from './read-source.ts';
import type { Uploads } from '@vds/chassis/objects/uploads';
import type { SourceClock } from './source-clock.ts';
import { storePart, type BufferPool } from './store-part.ts';

export type Deps = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly open: OpenSource;
  readonly uploads: Uploads;
  readonly buffers: BufferPool;
  readonly maxBytes: number;
  /** Called with every chunk, in bytes. */
  readonly onBytes: (count: number) => void;
  /** Least time between two reports of progress, in milliseconds. */
  readonly progressEveryMs: number;
};

/** A try that is running. */
export type FetchTry = {
  readonly job: ClaimedFetch & {
    readonly request: { readonly sourceUrl: string };
    readonly progress: (percent: number) => void;
    readonly stage: { readonly progress: (percent: number) => Promise<void> };
  };
  readonly stored: Stored;
  readonly clock: SourceClock;
  /** The upload in progress. */
  upload: Upload | undefined;
  /** Whether this try has stored a part. */
  hasStored: boolean;
};
export type FetchedSource = { readonly key: string; readonly parts: readonly StoredPart[]; readonly bytes: number };

/**
 * @returns the object's key, parts and size once it is complete in the bucket
 * @throws a source fault, or what the bucket and the database throw; stored parts then remain for the next try
 */
export async function fetchSource(deps: Deps, current: FetchTry): Promise<FetchedSource> {
  const { job, stored } = current;
  try {
    const { upload, parts } = isComplete(stored) ? stored : await storeRest(deps, current);
    await failpoint('ingest.parts-recorded');
    await deps.uploads.complete(upload, parts);
    await failpoint('ingest.source-completed');
    return { key: upload.key, parts, bytes: bytesOf(parts) };
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'NOT_FOUND') throw cause;
    await recordUpload(deps.pool, job, undefined, { validator: undefined, total: undefined });
    await abandonUpload(deps, current);
    throw new AppError('UNAVAILABLE', 'the upload was removed while it was in progress; it starts over', { cause });
  }
}

/** Reads to the end of the source; a file that has changed is fetched from its beginning. */
async function storeRest(deps: Deps, current: FetchTry) {
  const { job, stored, clock } = current;
  const from = stored.upload ? bytesOf(stored.parts) : 0;
  const wanted = { from, validator: stored.validator, total: from > 0 ? stored.total : undefined };
  const reader = await openReported(deps, current, wanted);
  try {
    const resumed = from > 0 && reader.offset === from ? stored.upload : undefined;
    const upload = resumed ?? (await beginUpload(deps, current, reader));
    const parts = resumed ? [...stored.parts] : [];
    for (;;) {
      const part = await storePart(deps, upload, parts.length + 1, reader, clock.signal);
      if (!part) return { upload, parts };
      await failpoint('ingest.part-stored');
      await recordPart(deps.pool, job, part, clock.lap());
      current.hasStored = true;
      parts.push(part);
    }
  } finally {
    await reader.close();
  }
}

/** Opens a source whose bytes are counted and reported as progress. */
async function openReported(deps: Deps, { job, clock }: FetchTry, wanted: Wanted) {
  const report = createReporter(deps, job);
  let read = 0;
  const onBytes = (bytes: number): void => {
    read += bytes;
    deps.onBytes(bytes);
    report(reader.offset + read, reader.total);
  };
  const { sourceUrl } = job.request;
  const reader: SourceReader = await clock.wait(() =>
    openReader({ ...deps, onBytes }, sourceUrl, wanted, clock.signal),
  );
  return { ...reader, take: (max: number) => clock.wait(() => reader.take(max)) };
}

/**
 * Reports the percentage of the bytes so far, as often as `progressEveryMs` allows; of the operator's cap where the size
 * is unknown.
 */
function createReporter({ log, progressEveryMs, maxBytes }: Deps, job: FetchTry['job']) {
  let reportedAt = performance.now();
  return (bytes: number, total: number | undefined): void => {
    const now = performance.now();
    if (now - reportedAt < progressEveryMs) return;
    reportedAt = now;
    const percent = (100 * bytes) / (total ?? maxBytes);
    job.progress(percent);
    job.stage.progress(percent).catch((error: unknown) => {
      log.info({ reason: messageOf(error) }, 'progress could not be written');
    });
  };
}

/** Begins a new upload for an opened file; what was stored before is discarded. */
async function beginUpload(deps: Deps, current: FetchTry, file: SourceReader): Promise<Upload> {
  const upload = await deps.uploads.begin(newSourceKey(current.job));
  try {
    await recordUpload(deps.pool, current.job, upload, file);
  } catch (error) {
    await abortUpload(deps, upload);
    throw error;
  }
  await abandonUpload(deps, current);
  current.upload = upload;
  return upload;
}

/** A new key for an upload; a later claim that resumes the upload reads its key from the row. */
export function newSourceKey({ videoId, attempt, fence }: Omit<ClaimedFetch, 'id'>): string {
  return `${attemptPrefix(videoId, attempt)}${newJobFolder('source', fence)}/original`;
}

/** Aborts the upload in progress, if any. */
export async function abandonUpload(deps: Deps, current: FetchTry): Promise<void> {
  if (current.upload) await abortUpload(deps, current.upload);
  current.upload = undefined;
}

/** Best effort: leftovers are removed with the video at the latest. */
async function abortUpload({ log, uploads }: Deps, upload: Upload): Promise<void> {
  await uploads.abort(upload).catch((error: unknown) => {
    log.info({ reason: messageOf(error) }, 'an upload could not be aborted');
  });
}
