/** The ports of a fetch: the source's host, the bucket and the rows. All of them end with the job. */
import type { Pool } from '@vds/chassis/database/database';
import { messageOf } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { attemptPrefix, newJobFolder } from '@vds/chassis/objects/keys';
import type { Uploads } from '@vds/chassis/objects/uploads';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { FetchPorts, SourceReader } from '../domain/jobs/fetch-source.ts';
import type { Wanted } from '../domain/source-response.ts';
import { recordPart, recordUpload, type ClaimedFetch } from './fetch-rows.ts';
import type { OpenSource } from './open-source.ts';
import { openReader } from './read-source.ts';
import type { SourceClock } from './source-clock.ts';
import type { PartBuffers } from './part-buffers.ts';
import { storePart } from './store-part.ts';

export type Deps = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly open: OpenSource;
  readonly uploads: Uploads;
  readonly buffers: PartBuffers;
  readonly maxBytes: number;
  /** Called with every chunk, in bytes. */
  readonly onBytes: (count: number) => void;
  /** Least time between two reports of progress, in milliseconds. */
  readonly progressEveryMs: number;
};

type Job = ClaimedFetch & {
  readonly publisherId: string;
  readonly request: { readonly sourceUrl: string };
  readonly progress: (percent: number) => void;
  readonly stage: { readonly progress: (percent: number) => Promise<void> };
};

export function fetchPorts(deps: Deps, job: Job, clock: SourceClock): FetchPorts {
  const { pool, log, uploads } = deps;
  return {
    open: (wanted) => openReported(deps, job, clock, wanted),
    begin: () => uploads.begin(newSourceKey(job)),
    recordUpload: (upload, file) => recordUpload(pool, job, upload, file),
    storePart: async (upload, next, reader) => {
      const part = await storePart(deps, upload, next, reader, { publisherId: job.publisherId, signal: clock.signal });
      if (part) await failpoint('ingest.part-stored');
      return part;
    },
    recordPart: (part) => recordPart(pool, job, part, clock.lap()),
    complete: async (upload, parts) => {
      await failpoint('ingest.parts-recorded');
      await uploads.complete(upload, parts);
      await failpoint('ingest.source-completed');
    },
    abort: (upload) =>
      uploads.abort(upload).catch((error: unknown) => {
        log.info({ reason: messageOf(error) }, 'an upload could not be aborted');
      }),
  };
}

/** A new key for an upload; a later claim that resumes the upload reads its key from the row. */
export function newSourceKey({ videoId, attempt, fence }: Omit<ClaimedFetch, 'id'>): string {
  return `${attemptPrefix(videoId, attempt)}${newJobFolder('source', fence)}/original`;
}

/** Opens a source whose bytes are reported as progress. */
async function openReported(deps: Deps, job: Job, clock: SourceClock, wanted: Wanted): Promise<SourceReader> {
  const report = createReporter(deps, job);
  const reader = await clock.wait(() => openReader(deps, job.request.sourceUrl, wanted, clock.signal));
  let at = reader.offset;
  const take = async (max: number): Promise<Buffer | undefined> => {
    const chunk = await clock.wait(() => reader.take(max));
    at += chunk?.length ?? 0;
    report(at, reader.total);
    return chunk;
  };
  return { ...reader, take };
}

/**
 * Reports the percentage of the bytes so far, as often as `progressEveryMs` allows; of the operator's cap where the size
 * is unknown.
 */
function createReporter({ log, progressEveryMs, maxBytes }: Deps, job: Job) {
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
