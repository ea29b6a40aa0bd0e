/** The buckets, read-only. An object under a key never changes, so its metadata are cached. */
import type { ServerResponse } from 'node:http';
import { AppError } from '@vds/chassis/errors';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Forward, Forwarded } from '@vds/chassis/objects/forwarding';
import type { ObjectInfo, Objects } from '@vds/chassis/objects/objects';
import { LRUCache } from 'lru-cache';
import { singleFlight } from '@vds/chassis/async';
import { getDocument } from '@vds/chassis/objects/documents';
import { ladderDocument, type LadderDocument } from '@vds/proto/documents/ladder';

const MAX_OBJECTS = 50_000;
const MAX_LADDERS = 2_000;
/**
 * Keeps the promise that small objects, such as playlists, are served from memory: those up to this size, of each bucket at
 * most `MAX_SMALL_BYTES`.
 */
export const SMALL_BYTES = 64 * 1024;
const MAX_SMALL_BYTES = 32 * 1024 * 1024;
type ReadMetrics = ReturnType<typeof createReadMetrics>;
export type Files = ReturnType<typeof openFiles>;
export type Ladders = ReturnType<typeof openLadders>;

/** Metrics of all buckets together. */
export function createReadMetrics(metrics: Metrics) {
  const reads = metrics.counter('vds_playback_object_reads_total', 'Reads of object metadata, by source', ['outcome']);
  let open = 0;
  metrics.gauge('vds_playback_open_reads', 'Objects being read for viewers now', [], (gauge) => gauge.set(open));
  return {
    metadataRead: (outcome: 'cached' | 'fetched'): void => reads.inc({ outcome }),
    reading: async (read: Promise<void>): Promise<void> => {
      open += 1;
      await read.finally(() => (open -= 1));
    },
  };
}

/** Files of one bucket, for viewers. */
export function openFiles(objects: Objects, forward: Forward, { metadataRead, reading }: ReadMetrics) {
  const infos = new LRUCache<string, ObjectInfo>({ max: MAX_OBJECTS });
  const small = new LRUCache<string, Buffer>({
    maxSize: MAX_SMALL_BYTES,
    sizeCalculation: ({ length }) => length + 512,
  });
  const readSmall = singleFlight(async (key) => {
    const read = await objects.getBytes(key, SMALL_BYTES);
    // Memory of its own: a part of Node's pool would keep all of it.
    const bytes = Buffer.allocUnsafeSlow(read.length);
    read.copy(bytes);
    small.set(key, bytes);
    return bytes;
  });
  return {
    /** Metadata of an object; undefined if there is none. */
    describe: async (key: string): Promise<ObjectInfo | undefined> => {
      const known = infos.get(key);
      metadataRead(known ? 'cached' : 'fetched');
      if (known) return known;
      try {
        const info = await objects.stat(key);
        infos.set(key, info);
        return info;
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
    /** An object of at most `SMALL_BYTES`; undefined if there is none. */
    read: async (key: string): Promise<Buffer | undefined> => {
      try {
        return small.get(key) ?? (await readSmall(key));
      } catch (error) {
        infos.delete(key);
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
    /**
     * Sends an object or a part of it at the speed of its viewer; false if there is none, and then nothing is sent.
     * @param onBytes called with the count of bytes as they are sent
     */
    send: async (object: Forwarded, response: ServerResponse, onBytes: (count: number) => void): Promise<boolean> => {
      try {
        await reading(forward(objects, object, response, onBytes));
        return true;
      } catch (error) {
        infos.delete(object.key);
        if (isAbsent(error)) return false;
        throw error;
      }
    },
  };
}

/** Without the permission to list, S3 responds with AccessDenied for a missing object. */
function isAbsent(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED');
}

/** Ladders of the media bucket. */
export function openLadders(objects: Pick<Objects, 'getBytes'>) {
  const ladders = new LRUCache<string, LadderDocument>({ max: MAX_LADDERS });
  return {
    /** @throws INTERNAL when it is missing or invalid */
    ladder: async (key: string): Promise<LadderDocument> => {
      const known = ladders.get(key);
      if (known) return known;
      try {
        const ladder = await getDocument(objects, key, ladderDocument);
        ladders.set(key, ladder);
        return ladder;
      } catch (cause) {
        if (cause instanceof AppError && cause.code === 'UNAVAILABLE') throw cause;
        throw new AppError('INTERNAL', `ladder ${key} cannot be read`, { cause });
      }
    },
  };
}
