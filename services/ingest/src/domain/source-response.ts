/**
 * Reads the head of a source's response and decides whether it continues the stored bytes (RFC 9110 §13.1.5, §14, §15).
 */
import { sourceFault, statusOf } from './source-fault.ts';

/** Header fields by lower-case name; a repeated field is left out. */
export type ResponseHeaders = Readonly<Record<string, string | undefined>>;

/** What was requested: the bytes from `from` on, of the file that `validator` and `total` identify. */
export type Wanted = {
  readonly from: number;
  readonly validator: string | undefined;
  readonly total: number | undefined;
};

export type SourceResponse =
  /** The file from `offset` (0 or the requested one) on; `total` is its whole size where it is known. */
  | {
      readonly kind: 'body';
      readonly offset: number;
      /** How many bytes of the body lie before `offset`: a host may send a range from the block that has it on. */
      readonly surplus: number;
      readonly total: number | undefined;
      readonly validator: string | undefined;
      /** Whether the host says, or shows, that it serves ranges. */
      readonly ranges: boolean;
    }
  /** The stored bytes are already the whole file. */
  | { readonly kind: 'complete' }
  /** The stored bytes are of another file, which must be requested from its beginning. */
  | { readonly kind: 'restart' };

type ContentRange = { readonly first: number; readonly last: number; readonly total: number | undefined };

const COMPRESSED = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'compress', 'x-compress']);
const FORBIDDEN = new Set([401, 402, 403, 407, 451]);
const NOT_FOUND = new Set([404, 410]);
const PASSING = new Set([408, 421, 425, 429]);
/** Those whose `Retry-After` says when the host serves the file again (RFC 9110 §15.6.4, RFC 6585 §4). */
const LIMITED = new Set([429, 503]);
/** The host does not implement what was requested, and will not the next time. */
const NOT_IMPLEMENTED = new Set([501, 505]);

/**
 * Interprets the final response to a request, after redirects.
 * @param maxBytes the operator's cap on a file
 * @param nowMs our clock, in milliseconds since 1970: that of a host which does not tell its own
 * @throws a source fault for every status that is no file, for a compressed body and for one that is too large
 */
export function readResponse(
  status: number,
  headers: ResponseHeaders,
  wanted: Wanted,
  { maxBytes, nowMs }: { readonly maxBytes: number; readonly nowMs: number },
): SourceResponse {
  if (status === 206) return readPartial(headers, wanted, maxBytes);
  if (status === 416) return readUnsatisfied(headers, wanted);
  if (status !== 200 && status !== 203) checkStatus(status, LIMITED.has(status) ? retryAfterOf(headers, nowMs) : {});
  const total = wholeNumber(headers['content-length']);
  checkBody(status, headers, total, maxBytes);
  const ranges = namesOf(headers['accept-ranges']).includes('bytes');
  return { kind: 'body', offset: 0, surplus: 0, total, validator: validatorOf(headers), ranges };
}

function readPartial(headers: ResponseHeaders, wanted: Wanted, maxBytes: number): SourceResponse {
  const range = contentRange(headers['content-range']);
  if (wanted.from === 0) return readUnrequestedPart(range, headers, maxBytes);
  if (!range) return { kind: 'restart' };
  const validator = validatorOf(headers) ?? wanted.validator;
  const sameFile = validator === wanted.validator && (wanted.total === undefined || range.total === wanted.total);
  const surplus = wanted.from - range.first;
  if (surplus < 0 || !sameFile) return { kind: 'restart' };
  checkBody(206, headers, range.total, maxBytes);
  return { kind: 'body', offset: wanted.from, surplus, total: range.total, validator, ranges: true };
}

/** Some hosts respond with a range to every request: one that is the whole file is as good as a 200. */
function readUnrequestedPart(range: ContentRange | undefined, headers: ResponseHeaders, maxBytes: number) {
  if (range?.first !== 0 || range.last + 1 !== range.total)
    throw sourceFault('response_invalid', { details: statusOf(206) });
  checkBody(206, headers, range.total, maxBytes);
  const validator = validatorOf(headers);
  return { kind: 'body', offset: 0, surplus: 0, total: range.total, validator, ranges: true } as const;
}

/** `bytes 5-9/20` → {first 5, last 9, total 20}; a total of `*` is undefined. */
function contentRange(text: string | undefined): ContentRange | undefined {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(text ?? '');
  return match ? { first: Number(match[1]), last: Number(match[2]), total: wholeNumber(match[3]) } : undefined;
}

function readUnsatisfied(headers: ResponseHeaders, wanted: Wanted): SourceResponse {
  if (wanted.from === 0) return checkStatus(416) as never;
  const total = wholeNumber(/^bytes \*\/(\d+)$/i.exec(headers['content-range'] ?? '')?.[1]);
  // Only a file of unknown length is requested beyond its end.
  return total === wanted.from && wanted.total === undefined ? { kind: 'complete' } : { kind: 'restart' };
}

function checkStatus(status: number, more: Readonly<Record<string, string>> = {}): void {
  const details = { ...statusOf(status), ...more };
  if (NOT_FOUND.has(status)) throw sourceFault('status_not_found', { details });
  if (FORBIDDEN.has(status)) throw sourceFault('status_forbidden', { details });
  if ((status >= 500 && !NOT_IMPLEMENTED.has(status)) || PASSING.has(status))
    throw sourceFault('status_transient', { details });
  throw sourceFault('status_rejected', { details });
}

/** The seconds of `Retry-After`, which is a number of them or a date of the host's clock (RFC 9110 §10.2.3). */
function retryAfterOf(headers: ResponseHeaders, nowMs: number): { readonly retry_after_seconds?: string } {
  const text = headers['retry-after'] ?? '';
  const hostMs = Date.parse(headers['date'] ?? '') || nowMs;
  // A number alone would be a year for Date.parse.
  const seconds = /^\d+$/.test(text) ? wholeNumber(text) : Math.ceil((Date.parse(text) - hostMs) / 1_000);
  return seconds !== undefined && seconds > 0 ? { retry_after_seconds: String(seconds) } : {};
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function checkBody(status: number, headers: ResponseHeaders, total: number | undefined, maxBytes: number): void {
  // The client undoes chunks alone: any other transfer coding would be stored as if it were the file.
  const coding =
    namesOf(headers['content-encoding']).find((text) => COMPRESSED.has(text)) ??
    namesOf(headers['transfer-encoding']).find((text) => text !== 'chunked' && text !== 'identity');
  if (coding !== undefined)
    throw sourceFault('encoding_rejected', { details: { ...statusOf(status), content_encoding: coding } });
  if (total !== undefined && total > maxBytes)
    throw sourceFault('too_large', { details: { max_bytes: String(maxBytes) } });
}

/** `gzip, BR` → gzip and br. */
function namesOf(header = ''): string[] {
  return header
    .toLowerCase()
    .split(',')
    .map((text) => text.trim().slice(0, 40))
    .filter((text) => text !== '');
}

/**
 * The validator for `If-Range`: a strong ETag, else a Last-Modified that is at least a second older than the response
 * (RFC 9110 §8.8.2.2). Undefined where a resumed download could mix two versions of the file.
 */
export function validatorOf(headers: ResponseHeaders): string | undefined {
  const etag = headers['etag'];
  if (etag !== undefined && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag)) return etag;
  const modified = headers['last-modified'];
  if (modified === undefined) return undefined;
  const age = Date.parse(headers['date'] ?? '') - Date.parse(modified);
  return age >= 1_000 ? modified : undefined;
}
