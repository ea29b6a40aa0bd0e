/** Cursors: where a reader is, sealed, so that only what we wrote ourselves ever reaches OpenSearch. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { AppError } from '@vds/chassis/errors';

const longest = 16_384;
const sealBytes = 16;
export type Cursors = ReturnType<typeof openCursors>;

/** @param secret the same in every replica; cursors do not outlive it */
export function openCursors(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'vds indexer cursor', 32));
  const sealOf = (text: string): Buffer => createHmac('sha256', key).update(text).digest().subarray(0, sealBytes);
  const questionOf = (question: unknown): string =>
    createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 22);
  return {
    /** @param question what the cursor goes on with; it is good for no other */
    write: (question: unknown, place: object): string => {
      const text = Buffer.from(JSON.stringify({ q: questionOf(question), place })).toString('base64url');
      return `${text}.${sealOf(text).toString('base64url')}`;
    },
    /** @throws AppError INVALID_ARGUMENT */
    read: <P>(question: unknown, cursor: string): P => {
      const [text = '', seal = '', ...more] = cursor.length > longest ? [] : cursor.split('.');
      const given = Buffer.from(seal, 'base64url');
      const right = given.length === sealBytes && timingSafeEqual(given, sealOf(text)) && more.length === 0;
      if (!right) throw refuse('cursor_unknown');
      const { q, place } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as { q: string; place: P };
      if (q !== questionOf(question)) throw refuse('cursor_of_another_query');
      return place;
    },
  };
}

/** Code of anything that is no cursor of ours, or of another question. */
function refuse(reason: string): AppError {
  return new AppError('INVALID_ARGUMENT', 'cursor is not one of ours for this query: begin anew without it', {
    reason,
  });
}
