/** Cursors: a reader's position, signed, so that only positions that we issued reach OpenSearch. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { AppError } from '@vds/chassis/errors';

const MAX_LENGTH = 16_384;
const SIGNATURE_BYTES = 16;
export type Cursors = ReturnType<typeof openCursors>;

/** Of the positions of all queries: raise it when one changes, so that no replica reads those of another version. */
const VERSION = 2;

/** @param secret the same in every replica; cursors expire with it */
export function openCursors(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `vds indexer cursor ${VERSION}`, 32));
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES);
  const digestOf = (query: unknown): string =>
    createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 22);
  return {
    /** @param query that the cursor continues; it is invalid for any other */
    write: (query: unknown, position: object): string => {
      const text = Buffer.from(JSON.stringify({ q: digestOf(query), position })).toString('base64url');
      return `${text}.${sign(text).toString('base64url')}`;
    },
    /** @throws AppError INVALID_ARGUMENT */
    read: <P>(query: unknown, cursor: string): P => {
      const [text = '', signature = '', ...more] = cursor.length > MAX_LENGTH ? [] : cursor.split('.');
      const received = Buffer.from(signature, 'base64url');
      const isOurs = received.length === SIGNATURE_BYTES && timingSafeEqual(received, sign(text)) && more.length === 0;
      if (!isOurs) throw validationError('cursor_unknown');
      const { q, position } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as { q: string; position: P };
      if (q !== digestOf(query)) throw validationError('cursor_of_another_query');
      return position;
    },
  };
}

/** For a forged or malformed cursor, or one of another query. */
function validationError(reason: string): AppError {
  return new AppError('INVALID_ARGUMENT', 'cursor is not valid for this query: start again without it', {
    reason,
  });
}
