/** Documents in buckets, read by the definition shared with their writer. */
import type { DocumentFormat } from '@vds/proto/documents/document';
import { AppError, messageOf } from '../errors.ts';
import type { Objects } from './objects.ts';

/**
 * Reads a document.
 * @throws AppError INVALID_ARGUMENT that names the field or the limit: objects never change, so a retry cannot help
 */
export async function getDocument<T>(
  objects: Pick<Objects, 'getBytes'>,
  key: string,
  { maxBytes, read }: DocumentFormat<T>,
): Promise<T> {
  const bytes = await objects.getBytes(key, maxBytes);
  try {
    return read(bytes, key);
  } catch (cause) {
    throw new AppError('INVALID_ARGUMENT', `${messageOf(cause)} (${key})`, { cause });
  }
}
