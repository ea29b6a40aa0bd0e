/** Who knows the truth about a video: catalog, metadata, and the sentences in captions' bucket. */
import { catalog, metadata } from '@vds/proto';
import type { IndexableOut } from '@vds/proto/generated/vds/catalog/v1/Indexable.ts';
import type { ListedVideoOut } from '@vds/proto/generated/vds/catalog/v1/ListedVideo.ts';
import { trackDocument } from '@vds/proto/documents/track';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { ConfigOf } from '@vds/chassis/config/config';
import { AppError, messageOf } from '@vds/chassis/errors';
import { orUndefinedIfNotFound } from '@vds/chassis/process/startup-checks';
import type { Logger } from '@vds/chassis/telemetry/log';
import { getDocument } from '@vds/chassis/objects/documents';
import type { Objects } from '@vds/chassis/objects/objects';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';
import type { Sentence, Spoken } from '../domain/document.ts';

type ClientConfig = ConfigOf<typeof rpcClientConfig>;

export function openCatalog(target: string, config: ClientConfig, timeoutMs: number) {
  const idempotent = ['GetIndexable', 'ListVideos'];
  const client = rpcClient(catalog.CatalogService, { target, config, timeoutMs, idempotent });
  return {
    /** Undefined for a video that never was. */
    getIndexable: (videoId: string): Promise<IndexableOut | undefined> =>
      orUndefinedIfNotFound(client.GetIndexable({ videoId })),
    /** Every video by rising number of its latest version, deleted ones too. */
    list: async (afterVersionSeq: number, limit: number): Promise<readonly ListedVideoOut[]> =>
      (await client.ListVideos({ afterVersionSeq, limit })).videos,
    /** For the first contact: asks about a video that nobody has. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.GetIndexable({ videoId: '' })),
    close: client.close,
  };
}

export function openMetadata(target: string, config: ClientConfig, timeoutMs: number) {
  const client = rpcClient(metadata.MetadataService, { target, config, timeoutMs, idempotent: ['GetMetadata'] });
  return {
    /** Undefined while there is none. */
    get: oneTriesWhileAway((videoId: string): Promise<MetadataOut | undefined> =>
      orUndefinedIfNotFound(client.GetMetadata({ videoId })),
    ),
    /** For the first contact: asks about a video that nobody has. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.GetMetadata({ videoId: '' })),
    close: client.close,
  };
}

/**
 * While a peer cannot be reached one at a time tries, and the others are told so at once: else they would all wait for it,
 * and what is to be taken out of the index, which needs no word of that peer's, behind them.
 */
function oneTriesWhileAway<A, T>(ask: (about: A) => Promise<T>): (about: A) => Promise<T> {
  let away: AppError | undefined;
  let trying = 0;
  return async (about) => {
    if (away !== undefined && trying > 0) throw away;
    trying += 1;
    try {
      const answer = await ask(about);
      away = undefined;
      return answer;
    } catch (error) {
      away = isUnreachable(error) ? error : undefined;
      throw error;
    } finally {
      trying -= 1;
    }
  };
}

function isUnreachable(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'UNAVAILABLE' || error.code === 'DEADLINE_EXCEEDED');
}

/**
 * Sentences of every track that is ready, in the tracks' order.
 * @param objects with a deadline for its calls
 */
export function openSpoken(objects: Pick<Objects, 'getBytes'>, log: Logger) {
  let wasRead = false;
  const read = async (key: string): Promise<Sentence[]> => {
    try {
      const { sentences } = await getDocument(objects, key, trackDocument);
      wasRead = true;
      return sentences.map(({ startMs, text }) => ({ atMs: startMs, text }));
    } catch (error) {
      wasRead ||= error instanceof AppError && error.code === 'INVALID_ARGUMENT';
      const reason = reasonOf(error, wasRead);
      if (reason === undefined) throw new AppError('UNAVAILABLE', messageOf(error), { cause: error });
      // A track without words rather than a video that nobody finds; what comes in its place comes with a new version.
      log.warn({ key, reason }, 'a track is written without its sentences');
      return [];
    }
  };
  type Ready = { readonly language: string; readonly key: string };
  const all = oneTriesWhileAway((ready: readonly Ready[]): Promise<readonly Spoken[]> =>
    Promise.all(ready.map(async ({ language, key }) => ({ language, sentences: await read(key) }))),
  );
  return {
    /** @throws AppError UNAVAILABLE while the bucket cannot be read */
    of: async (tracks: IndexableOut['tracks']): Promise<readonly Spoken[]> => {
      const ready = tracks.flatMap(({ language, status, textKey }) =>
        status === 'ready' && textKey !== undefined ? [{ language, key: textKey }] : [],
      );
      return ready.length === 0 ? [] : all(ready);
    },
  };
}

/** Why a track that is named has no words to be read; undefined for an error that may pass. */
function reasonOf(error: unknown, wasRead: boolean): string | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.code === 'NOT_FOUND') return 'the object is not there';
  if (error.code === 'INVALID_ARGUMENT') return error.message;
  // Who may not list a bucket is told AccessDenied of a missing key; but so he is where he may not read it at all.
  return error.code === 'PERMISSION_DENIED' && wasRead ? 'the object is not there, or must not be read' : undefined;
}
