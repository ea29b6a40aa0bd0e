/** The ports of a fetch: the source's host, the bucket and the rows. All of them end with the job. */
import type { Pool } from '@vds/chassis/database/database';
import { messageOf } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { attemptPrefix, folderPrefix, newJobFolder } from '@vds/chassis/objects/keys';
import type { Objects } from '@vds/chassis/objects/objects';
import type { Uploads } from '@vds/chassis/objects/uploads';
import type { Logger } from '@vds/chassis/telemetry/log';
import { manifestName, partKey, sourceManifest } from '@vds/proto/documents/source';
import type { FetchPorts, FetchTry, SourceReader } from '../domain/jobs/fetch-source.ts';
import type { Stored } from '../domain/stored-source.ts';
import { recordHead, recordPart, recordSource, type ClaimedFetch } from './fetch-rows.ts';
import type { OpenSource } from './open-source.ts';
import type { PartBuffers } from './part-buffers.ts';
import { openReader, openTailReader } from './read-source.ts';
import type { SourceClock } from './source-clock.ts';
import { storePart } from './store-part.ts';

export type Deps = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly open: OpenSource;
  readonly objects: Objects;
  readonly uploads: Uploads;
  readonly buffers: PartBuffers;
  readonly maxBytes: number;
  /** Length of the parts of a source that begins. */
  readonly partBytes: number;
  /** Wakes the relay after a commit. */
  readonly publish: () => void;
  /** Called with every chunk, in bytes. */
  readonly onBytes: (count: number) => void;
  /** Least time between two reports of progress, in milliseconds. */
  readonly progressEveryMs: number;
};

type Job = ClaimedFetch & {
  readonly publisherId: string;
  readonly progress: (percent: number) => void;
  readonly stage: { readonly progress: (percent: number) => Promise<void> };
};

export function fetchPorts(deps: Deps, job: Job, sourceUrl: string, clock: SourceClock): FetchPorts {
  const { pool, log, objects } = deps;
  const progress = createProgress(deps, job);
  return {
    open: async (wanted) => {
      const reader = await clock.wait(() => openReader(deps, sourceUrl, wanted, clock.signal));
      progress.begin(reader);
      return { ...reader, take: taking(reader, clock, progress.add) };
    },
    openTail: async (wanted) => {
      const reader = await clock.wait(() => openTailReader(deps, sourceUrl, wanted, clock.signal));
      return reader && { ...reader, take: taking(reader, clock, progress.add) };
    },
    begin: async ({ validator, total }) => {
      const source = { key: newManifestKey(job), partBytes: deps.partBytes, validator, total };
      await recordSource(pool, job, source);
      return source;
    },
    storeManifest: async ({ key, partBytes }, bytes) => {
      await objects.putBytes(key, sourceManifest.write({ bytes, partBytes }), { contentType: 'application/json' });
      await failpoint('ingest.manifest-stored');
    },
    storePart: async (source, number, reader) => {
      const { publisherId } = job;
      const part = await storePart(deps, source, number, reader, { publisherId, signal: clock.signal });
      if (part) await failpoint('ingest.part-stored');
      return part;
    },
    recordPart: (part, isProgress) => recordPart(pool, job, part, { isProgress, sourceWaitMs: clock.lap() }),
    recordHead: async (source) => {
      await recordHead(pool, job, source);
      deps.publish();
      await failpoint('ingest.head-recorded');
    },
    remove: ({ key }) =>
      objects.removePrefix(folderPrefix(key)).catch((error: unknown) => {
        log.info({ reason: messageOf(error) }, 'a source could not be removed');
      }),
    noteTail: (reason) => log.info({ reason }, 'the tail of a source cannot be read first'),
  };
}

/** The key of the manifest of a new source; a later claim that resumes the source reads it from the row. */
function newManifestKey({ videoId, attempt, fence }: ClaimedFetch): string {
  return `${attemptPrefix(videoId, attempt)}${newJobFolder('source', fence)}/${manifestName}`;
}

/**
 * What earlier tries have stored, provided that the bucket still has it: a database that was restored may name parts
 * that were purged since.
 */
export async function findIntact(
  objects: Pick<Objects, 'list'>,
  { source, parts }: Stored,
): Promise<Pick<FetchTry, 'source' | 'parts'>> {
  if (!source || parts.length === 0) return { source, parts: [] };
  const keys = new Set(await objects.list(folderPrefix(source.key)));
  const isIntact = parts.every(({ number }) => keys.has(partKey(source.key, number)));
  return { source, parts: isIntact ? parts : [] };
}

/** The reader's bytes; the clock counts the time until they come. */
function taking(reader: SourceReader, clock: SourceClock, onBytes: (count: number) => void): SourceReader['take'] {
  return async (max) => {
    const chunk = await clock.wait(() => reader.take(max));
    onBytes(chunk?.length ?? 0);
    return chunk;
  };
}

/**
 * Reports the percentage of the bytes so far, over all connections and as often as `progressEveryMs` allows; of the
 * operator's cap where the size is unknown.
 */
function createProgress({ log, progressEveryMs, maxBytes }: Deps, job: Job) {
  let reportedAt = performance.now();
  let bytes = 0;
  let total = maxBytes;
  return {
    begin: (reader: SourceReader): void => {
      bytes = reader.offset;
      total = reader.total ?? maxBytes;
    },
    add: (count: number): void => {
      bytes += count;
      const now = performance.now();
      if (now - reportedAt < progressEveryMs) return;
      reportedAt = now;
      const percent = (100 * bytes) / total;
      job.progress(percent);
      job.stage.progress(percent).catch((error: unknown) => {
        log.info({ reason: messageOf(error) }, 'progress could not be written');
      });
    },
  };
}
