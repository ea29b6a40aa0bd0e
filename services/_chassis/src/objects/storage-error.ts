/** The one translation of the errors of object storage: every code of S3 → our code, a reason and a sentence. */
import { AppError, messageOf, type ErrorCode } from '../errors.ts';

/** A rejected request, as the transport reports it. */
type Rejection = {
  readonly status: number;
  /** The body; empty for the response to a HEAD request. */
  readonly body: string;
  /** The server's clock, from the header `date`; undefined without one. */
  readonly serverTime: number | undefined;
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
type S3Error = Error & { readonly code: string; readonly skewMs: number | undefined };

type Row = {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly message: (what: string, error: Partial<S3Error>) => string;
};

const objectMissing: Row = {
  code: 'NOT_FOUND',
  reason: 'object_not_found',
  message: (what) => `object ${what} does not exist`,
};
const uploadMissing: Row = {
  code: 'NOT_FOUND',
  reason: 'upload_not_found',
  message: (what) => `object storage: the upload of ${what}, or one of its parts, is gone`,
};
const slowDown: Row = {
  code: 'UNAVAILABLE',
  reason: 'slow_down',
  message: (what) => `object storage is overloaded (${what})`,
};
const credentialsRejected: Row = {
  code: 'UNAVAILABLE',
  reason: 'credentials_rejected',
  message: (what) => `object storage rejects our access key, its secret or its token (${what})`,
};
const clockSkewed: Row = {
  code: 'UNAVAILABLE',
  reason: 'clock_skewed',
  message: (what, { skewMs }) =>
    `object storage rejects our requests because of our clock, which is ${seconds(skewMs)} off: set the clock of this machine (${what})`,
};
const other: Row = {
  code: 'UNAVAILABLE',
  reason: 'storage_failed',
  message: (what, error) => `object storage: ${messageOf(error)} (${what})`,
};

const rows = new Map<string, Row>([
  ['NoSuchKey', objectMissing],
  ['NotFound', objectMissing],
  ['NoSuchUpload', uploadMissing],
  ['InvalidPart', uploadMissing],
  [
    'NoSuchBucket',
    {
      code: 'UNAVAILABLE',
      reason: 'bucket_not_found',
      message: (what) => `object storage: the bucket does not exist (${what})`,
    },
  ],
  [
    'AccessDenied',
    { code: 'PERMISSION_DENIED', reason: 'access_denied', message: (what) => `no access to object ${what}` },
  ],
  ['InvalidAccessKeyId', credentialsRejected],
  ['SignatureDoesNotMatch', credentialsRejected],
  ['ExpiredToken', credentialsRejected],
  ['InvalidToken', credentialsRejected],
  ['RequestTimeTooSkewed', clockSkewed],
  ['SlowDown', slowDown],
  ['ServiceUnavailable', slowDown],
  ['TooManyRequests', slowDown],
  [
    'ETIMEDOUT',
    {
      code: 'UNAVAILABLE',
      reason: 'storage_silent',
      message: (what, error) => `object storage: ${messageOf(error)} (${what})`,
    },
  ],
]);

/** The code of a rejection without a body. */
const codesByStatus = new Map([
  [403, 'AccessDenied'],
  [404, 'NotFound'],
  [429, 'TooManyRequests'],
  [501, 'NotImplemented'],
  [503, 'SlowDown'],
]);

/** S3 rejects requests whose clock differs by more. */
const MAX_SKEW_MS = 15 * 60_000;

/** A rejected request as an error; `storageError` translates it. */
export function rejected({ status, body, serverTime }: Rejection, now = Date.now()): S3Error {
  const stated = /<Code>([^<]+)<\/Code>/.exec(body)?.[1];
  const skewMs = serverTime === undefined ? undefined : Math.abs(now - serverTime);
  // The response to a HEAD request has no body to tell a wrong clock from a missing permission.
  const isSkewed = stated === undefined && status === 403 && (skewMs ?? 0) > MAX_SKEW_MS;
  const code = isSkewed ? 'RequestTimeTooSkewed' : (stated ?? codesByStatus.get(status) ?? `http_${status}`);
  const message = /<Message>([^<]+)<\/Message>/.exec(body)?.[1];
  return Object.assign(new Error([code, message].filter(Boolean).join(': ')), { code, skewMs });
}

/**
 * The error of a call, for callers: NOT_FOUND for a missing object or upload, PERMISSION_DENIED where access is denied,
 * UNAVAILABLE for everything transient. The reason says which.
 * @param what the key, prefix or bucket of the call
 */
export function storageError(error: unknown, what: string): AppError {
  if (error instanceof AppError) return error;
  // Of the login, as the client wraps it.
  const { cause } = error as Partial<S3Error>;
  if (cause instanceof AppError) return cause;
  const { code, reason, message } = rows.get(String((error as Partial<S3Error>).code)) ?? other;
  return new AppError(code, message(what, error as Partial<S3Error>), { cause: error, reason });
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? 'too far' : `${Math.round(ms / 1_000)} s`;
}
