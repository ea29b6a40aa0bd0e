/** Transcripts in captions' bucket: one document of sentences per ready track. */
import { trackDocument } from '@vds/proto/documents/track';
import type { IndexableOut } from '@vds/proto/generated/vds/catalog/v1/Indexable.ts';
import { AppError, messageOf } from '@vds/chassis/errors';
import { getDocument } from '@vds/chassis/objects/documents';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Objects } from '@vds/chassis/objects/objects';
import type { Sentence, Transcript } from '../domain/document.ts';
import { failFast } from './fail-fast.ts';

type Ready = { readonly language: string; readonly key: string };

/** @param objects with a deadline for its calls */
export function openTranscripts(objects: Pick<Objects, 'getBytes'>, log: Logger) {
  let wasRead = false;
  /** A video with a missing track is still found; a replaced track arrives with a new version. */
  const read = async (key: string): Promise<Sentence[]> => {
    try {
      const { sentences } = await getDocument(objects, key, trackDocument);
      wasRead = true;
      return sentences.map(({ startMs, text }) => ({ atMs: startMs, text }));
    } catch (error) {
      wasRead ||= error instanceof AppError && error.code === 'INVALID_ARGUMENT';
      if (isTransient(error, wasRead)) throw new AppError('UNAVAILABLE', messageOf(error), { cause: error });
      log.warn({ key, reason: messageOf(error) }, 'track indexed without its sentences');
      return [];
    }
  };
  const readAll = failFast((ready: readonly Ready[]): Promise<readonly Transcript[]> =>
    Promise.all(ready.map(async ({ language, key }) => ({ language, sentences: await read(key) }))),
  );
  /**
   * Sentences of every ready track, in the tracks' order.
   * @throws AppError UNAVAILABLE while the bucket cannot be read
   */
  return async (tracks: IndexableOut['tracks']): Promise<readonly Transcript[]> => {
    const ready = tracks.flatMap(({ language, status, textKey }) =>
      status === 'ready' && textKey !== undefined ? [{ language, key: textKey }] : [],
    );
    return ready.length === 0 ? [] : readAll(ready);
  };
}
export type Transcripts = ReturnType<typeof openTranscripts>;

/**
 * False for an object that is missing (NOT_FOUND), too large or not a track.json (INVALID_ARGUMENT): a retry is
 * useless.
 */
function isTransient(error: unknown, wasRead: boolean): boolean {
  if (!(error instanceof AppError)) return true;
  if (error.code === 'NOT_FOUND' || error.code === 'INVALID_ARGUMENT') return false;
  // S3 denies access to a missing key if the bucket may not be listed; but also if it may not be read at all.
  return error.code !== 'PERMISSION_DENIED' || !wasRead;
}
