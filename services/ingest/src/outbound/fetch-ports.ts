/** Binds one claimed fetch to the network, the bucket and the database. */
import { createHash } from 'node:crypto';
import type { Pool } from '@vds/chassis/database/database';
import { messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { FetchPorts, SourceReader, StoredPart, Upload } from '../domain/fetch-source.ts';
import { sourceKey } from '../domain/source-layout.ts';
import { keepPart, keepUpload, type FetchState, type Held } from './fetch-rows.ts';
import type { OpenSource } from './open-source.ts';
import { openReader } from './read-source.ts';
import type { SourceStore } from './source-store.ts';
import { storePart, type BufferPool } from './store-part.ts';

export type FetchPortsOptions = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly open: OpenSource;
  readonly store: SourceStore;
  readonly buffers: BufferPool;
  readonly maxBytes: number;
  /** Called with every chunk, in bytes. */
  readonly onBytes: (count: number) => void;
  /** Least time between two reports of progress, in milliseconds. */
  readonly progressEveryMs: number;
};

/** The fields of a claimed job that its ports need. */
type Fetch = Held & {
  readonly request: { readonly sourceUrl: string };
  readonly progress: (percent: number) => void;
  readonly stage: { readonly progress: (percent: number) => Promise<void> };
};

export type BoundFetch = {
  readonly ports: FetchPorts;
  /** Aborts the upload of a fetch that has failed. */
  readonly abandon: () => Promise<void>;
};

/** SHA-256, hexadecimal, over the parts' SHA-256. */
export function digestOf(parts: readonly StoredPart[]): string {
  return parts.reduce((hash, { sha256 }) => hash.update(sha256), createHash('sha256')).digest('hex');
}

/** @param signal aborts every request that the ports have in progress */
export function createFetchPorts(
  options: FetchPortsOptions,
  fetch: Fetch,
  { stored }: FetchState,
  signal: AbortSignal,
): BoundFetch {
  const { open, maxBytes, store } = options;
  const uploads = createUploads(options, fetch, stored.upload);
  const report = reporter(options, fetch);
  const ports: FetchPorts = {
    openSource: async (wanted) => {
      let at = 0;
      const onBytes = (bytes: number): void => {
        at += bytes;
        options.onBytes(bytes);
        report(reader.offset + at, reader.total);
      };
      const reader: SourceReader = await openReader(
        { open, maxBytes, onBytes },
        fetch.request.sourceUrl,
        wanted,
        signal,
      );
      return reader;
    },
    beginUpload: uploads.begin,
    storePart: (upload, number, reader) => storePart(options, upload, number, reader, signal),
    keepPart: (part) => keepPart(options.pool, fetch, part),
    assemble: (upload, parts) => store.complete(upload, parts),
    discard: uploads.discard,
  };
  return { ports, abandon: uploads.abandon };
}

/**
 * Reports the percentage of the bytes so far, as often as `progressEveryMs` allows; does nothing where the size is
 * unknown.
 */
function reporter({ log, progressEveryMs }: FetchPortsOptions, fetch: Fetch) {
  let reportedAt = performance.now();
  return (bytes: number, total: number | undefined): void => {
    const now = performance.now();
    if (!total || now - reportedAt < progressEveryMs) return;
    reportedAt = now;
    const percent = (100 * bytes) / total;
    fetch.progress(percent);
    fetch.stage.progress(percent).catch((error: unknown) => {
      log.info({ reason: messageOf(error) }, 'progress could not be written');
    });
  };
}

/** The current upload of a fetch. */
function createUploads({ pool, log, store }: FetchPortsOptions, fetch: Held, stored: Upload | undefined) {
  let current = stored;

  /** Best effort: leftovers are removed with the video at the latest. */
  const abort = async (upload: Upload | undefined): Promise<void> => {
    if (!upload) return;
    await store.abort(upload).catch((error: unknown) => {
      log.info({ reason: messageOf(error) }, 'an upload could not be aborted');
    });
  };

  return {
    begin: async (file: Pick<SourceReader, 'validator' | 'total'>): Promise<Upload> => {
      const earlier = current;
      const upload = await store.begin(sourceKey(fetch.videoId, fetch.attempt, fetch.fence));
      try {
        await keepUpload(pool, fetch, upload, file);
      } catch (error) {
        await abort(upload);
        throw error;
      }
      current = upload;
      await abort(earlier);
      return upload;
    },
    discard: async (): Promise<void> => {
      await keepUpload(pool, fetch, undefined, { validator: undefined, total: undefined });
      await abort(current);
      current = undefined;
    },
    abandon: () => abort(current),
  };
}
