/**
 * Permanent removal: every version and delete marker of an object, and every unfinished upload. A plain deletion in a
 * bucket with versions only hides an object, and an upload is invisible to a listing of objects.
 */
import type { Client } from 'minio';
import pLimit from 'p-limit';
import { AppError, messageOf } from '../errors.ts';
import { failpoint } from '../failpoint/failpoint.ts';
import { storageError } from './storage-error.ts';

/** An unfinished multipart upload; several may share a key. */
export type UnfinishedUpload = { readonly key: string; readonly uploadId: string; readonly initiated: Date };
/** Whether a key is to be removed. */
export type KeyTest = (key: string) => boolean;
type Version = { readonly name: string; readonly versionId?: string };
/** One object's error in the response to DeleteObjects. */
type DeleteError = { readonly Code?: string; readonly Key?: string; readonly Message?: string };

/** The reason of the error of a removal that the storage refuses: a lock, a retention, a legal hold, or a policy. */
export const removalRefused = 'removal_refused';

/** Transient errors of single objects: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const transientCodes = new Set([
  'InternalError',
  'SlowDown',
  'ServiceUnavailable',
  'RequestTimeout',
  'OperationAborted',
]);
/** The storage did not have the object to delete. */
const missingCodes = new Set(['NoSuchKey', 'NoSuchVersion', 'NotFound']);
const BATCH = 1_000;
/** Objects at a time where each request deletes one version. */
const CONCURRENCY = 16;

/** The operations on one bucket; errors of the client are not translated. */
export function createRemoval(client: Client, bucket: string) {
  const removeVersions = versionRemover(client, bucket);
  return {
    /** Keys under `prefix` that still have a version, a delete marker or an unfinished upload, each once. */
    leftovers: async (prefix: string): Promise<string[]> => {
      const versions = await listVersions(client, bucket, prefix);
      const uploads = await listUploads(client, bucket, prefix);
      return [...new Set([...versions.map(({ name }) => name), ...uploads.map(({ key }) => key)])];
    },
    /** Unfinished uploads under `prefix`. */
    listUploads: (prefix: string): Promise<UnfinishedUpload[]> => listUploads(client, bucket, prefix),
    /** Aborts an upload; one that has ended is success. */
    abortUpload: (upload: UnfinishedUpload): Promise<void> => abortUpload(client, bucket, upload),
    /**
     * Removes everything matching that `leftovers` finds under `prefix`.
     * @throws AppError FAILED_PRECONDITION with reason `removal_refused` if the storage keeps an object
     */
    removePrefix: async (prefix: string, matches: KeyTest = () => true): Promise<void> => {
      const uploads = await listUploads(client, bucket, prefix);
      for (const upload of uploads.filter(({ key }) => matches(key))) await abortUpload(client, bucket, upload);
      await failpoint('objects.uploads-aborted');
      const versions = (await listVersions(client, bucket, prefix)).filter(({ name }) => matches(name));
      const errors: DeleteError[] = [];
      for (let at = 0; at < versions.length; at += BATCH) {
        errors.push(...(await removeVersions(versions.slice(at, at + BATCH))));
        await failpoint('objects.batch-removed');
      }
      checkRefusals(errors);
    },
  };
}

/** Every version and delete marker; every object if the storage has no versions. */
async function listVersions(client: Client, bucket: string, prefix: string): Promise<Version[]> {
  try {
    return await listPages(client, bucket, prefix);
  } catch (error) {
    if (codeOf(error) !== 'NotImplemented') throw error;
    return await Array.fromAsync(client.listObjects(bucket, prefix, true), (item: object) => item as Version);
  }
}

/** The client's own listing sends the markers of a further page unencoded, which no storage accepts as signed. */
async function listPages(client: Client, bucket: string, prefix: string): Promise<Version[]> {
  const found: Version[] = [];
  for (let markers = { keyMarker: '', versionIdMarker: '' }; ;) {
    const options = { Delimiter: '', MaxKeys: BATCH, IncludeVersion: true, ...markers };
    const page = await client.listObjectsQuery(bucket, prefix, '', options);
    found.push(...(page.objects as Version[]));
    const { isTruncated, keyMarker, versionIdMarker = '' } = page;
    if (!isTruncated) return found;
    if (keyMarker === undefined) {
      // Cloud Storage names no marker of ours: behind the last key. Further versions of that one are in the next listing,
      // once these are removed.
      const last = found.at(-1)?.name;
      if (page.objects.length === 0 || last === undefined)
        throw new AppError('UNAVAILABLE', 'object storage does not say where a listing continues');
      markers = { keyMarker: escaped(last), versionIdMarker: '' };
      continue;
    }
    // Keys are encoded in the response, as requested; version ids are not.
    markers = { keyMarker: escaped(decodeURIComponent(keyMarker)), versionIdMarker: escaped(versionIdMarker) };
  }
}

/** As signatures require: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The client's own listing also lists the parts of each upload, and fails if one has ended in between. */
async function listUploads(client: Client, bucket: string, prefix: string): Promise<UnfinishedUpload[]> {
  const found: UnfinishedUpload[] = [];
  for (let marker = { key: '', upload: '' }; ;) {
    const page = await client.listIncompleteUploadsQuery(bucket, prefix, marker.key, marker.upload, '');
    found.push(...page.uploads.map(({ key, uploadId, initiated }) => ({ key, uploadId, initiated })));
    if (!page.isTruncated) return found;
    marker = { key: page.nextKeyMarker, upload: page.nextUploadIdMarker };
  }
}

async function abortUpload(client: Client, bucket: string, { key, uploadId }: UnfinishedUpload): Promise<void> {
  try {
    await client.abortMultipartUpload(bucket, key, uploadId);
  } catch (error) {
    if (codeOf(error) !== 'NoSuchUpload') throw error;
  }
}

/** Removes versions, and returns the errors of single ones: in one request, or one by one if the storage cannot. */
function versionRemover(client: Client, bucket: string) {
  let hasDeleteObjects = true;
  return async (versions: readonly Version[]): Promise<readonly DeleteError[]> => {
    if (!hasDeleteObjects) return removeOneByOne(client, bucket, versions);
    const list = versions.map(({ name, versionId }) => (versionId === undefined ? { name } : { name, versionId }));
    try {
      // The client's type of an error is that of an error of the whole request.
      return (await client.removeObjects(bucket, list)) as unknown as DeleteError[];
    } catch (error) {
      if (codeOf(error) !== 'NotImplemented') throw error;
      hasDeleteObjects = false;
      return removeOneByOne(client, bucket, versions);
    }
  };
}

/** @throws the first error that is not about its object: no further request is sent then */
async function removeOneByOne(client: Client, bucket: string, versions: readonly Version[]): Promise<DeleteError[]> {
  const limit = pLimit(CONCURRENCY);
  const errors: DeleteError[] = [];
  const failures: unknown[] = [];
  const remove = async ({ name, versionId }: Version): Promise<void> => {
    if (failures.length > 0) return;
    try {
      await client.removeObject(bucket, name, versionId === undefined ? {} : { versionId });
    } catch (error) {
      if (missingCodes.has(codeOf(error))) return;
      if (storageError(error, name).reason !== 'access_denied') failures.push(error);
      else errors.push({ Code: codeOf(error), Key: name, Message: messageOf(error) });
    }
  };
  // Versions of one object one by one: a storage may lose track of versions removed at the same time.
  const ofObjects = [...Map.groupBy(versions, ({ name }) => name).values()];
  await limit.map(ofObjects, async (ofOne) => {
    for (const version of ofOne) await remove(version);
  });
  if (failures.length > 0) throw failures[0];
  return errors;
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}

/** Transient errors are left to the caller, which lists what is left. */
function checkRefusals(errors: readonly DeleteError[]): void {
  const refused = errors.filter(({ Code = '' }) => !transientCodes.has(Code) && !missingCodes.has(Code));
  const [first] = refused;
  if (!first) return;
  throw new AppError(
    'FAILED_PRECONDITION',
    `object storage keeps ${refused.length} versions, such as ${first.Key}: ${first.Code} ${first.Message}`,
    { reason: removalRefused },
  );
}
