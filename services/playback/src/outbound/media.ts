/** The buckets, read only. An object under a key never changes, so what it is like is remembered. */
import type { Readable } from 'node:stream';
import { AppError } from '@vds/chassis/errors';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { ObjectInfo, Objects } from '@vds/chassis/objects/objects';
import { recentMap } from '@vds/chassis/cache/recent-map';
import { getDocument } from '@vds/chassis/objects/documents';
import { ladderDocument, type LadderDocument } from '@vds/proto/documents/ladder';
import type { Span } from '../domain/byte-range.ts';

const OBJECTS_REMEMBERED = 50_000;
const LADDERS_REMEMBERED = 2_000;
type ReadMeters = ReturnType<typeof openReadMeters>;
export type Files = ReturnType<typeof openFiles>;
export type Ladders = ReturnType<typeof openLadders>;

/** What is counted of all buckets together. */
export function openReadMeters(metrics: Metrics) {
  const reads = metrics.counter('vds_playback_object_reads_total', 'Looks at an object, by who answered', ['outcome']);
  let open = 0;
  metrics.gauge('vds_playback_open_reads', 'Objects being read for viewers now', [], (gauge) => gauge.set(open));
  return {
    looked: (outcome: 'cached' | 'asked'): void => reads.inc({ outcome }),
    reading: (stream: Readable): void => {
      open += 1;
      stream.once('close', () => (open -= 1));
    },
  };
}

/** Files of one bucket, for viewers. */
export function openFiles(objects: Pick<Objects, 'stat' | 'getStream'>, { looked, reading }: ReadMeters) {
  const infos = recentMap<ObjectInfo>(OBJECTS_REMEMBERED);
  return {
    /** Undefined where there is no such object. */
    describe: async (key: string): Promise<ObjectInfo | undefined> => {
      const known = infos.get(key);
      looked(known ? 'cached' : 'asked');
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
    /** Opens an object, or a part of it; undefined where it is gone. The reader destroys it when he wants no more. */
    open: async (key: string, span?: Span): Promise<Readable | undefined> => {
      try {
        const stream = await objects.getStream(key, span);
        reading(stream);
        return stream;
      } catch (error) {
        infos.delete(key);
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Without the right to list, a bucket says "denied" of what is not there. */
function isAbsent(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED');
}

/** Ladders of the media bucket. */
export function openLadders(objects: Pick<Objects, 'getBytes'>) {
  const ladders = recentMap<LadderDocument>(LADDERS_REMEMBERED);
  return {
    /** @throws INTERNAL when it is not there or not as it should be */
    ladder: async (key: string): Promise<LadderDocument> => {
      const known = ladders.get(key);
      if (known) return known;
      try {
        const ladder = await getDocument(objects, key, ladderDocument);
        ladders.set(key, ladder);
        return ladder;
      } catch (cause) {
        if (cause instanceof AppError && cause.code === 'UNAVAILABLE') throw cause;
        throw new AppError('INTERNAL', `the ladder ${key} cannot be read`, { cause });
      }
    },
  };
}
