/**
 * The one error class, and the one table of what each code means in every protocol.
 * Codes are gRPC's canonical names (https://grpc.io/docs/guides/status-codes/).
 */
import { isFailureCode } from '@vds/proto/failures';

export type ErrorCode =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'RESOURCE_EXHAUSTED'
  | 'CANCELLED'
  | 'DEADLINE_EXCEEDED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/**
 * What caused a job to fail: the submitted file or text (`input`), a dependency that is temporarily unavailable
 * (`dependency`), a process that was killed during the job (`crash`), or anything else (`defect`).
 */
export type ErrorClass = 'input' | 'dependency' | 'crash' | 'defect';

export type ErrorRow = {
  /** Numeric gRPC status. */
  readonly grpc: number;
  /** HTTP status of the partner API (spec §7). */
  readonly http: 400 | 401 | 403 | 404 | 429 | 500;
  /** `error.code` of the partner API (spec §7). */
  readonly partner: string;
  /** Whether a retry may succeed; if not, a message is dead-lettered, and a job with a defect fails at once. */
  readonly retry: boolean;
  /** The class, unless the reason or the cause of the error is more specific. */
  readonly class: ErrorClass;
};

export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = {
  CANCELLED: { grpc: 1, http: 500, partner: 'internal_error', retry: true, class: 'dependency' },
  INVALID_ARGUMENT: { grpc: 3, http: 400, partner: 'invalid_input', retry: false, class: 'defect' },
  DEADLINE_EXCEEDED: { grpc: 4, http: 500, partner: 'internal_error', retry: true, class: 'dependency' },
  NOT_FOUND: { grpc: 5, http: 404, partner: 'not_found', retry: false, class: 'dependency' },
  ALREADY_EXISTS: { grpc: 6, http: 500, partner: 'internal_error', retry: false, class: 'defect' },
  PERMISSION_DENIED: { grpc: 7, http: 403, partner: 'insufficient_scope', retry: false, class: 'dependency' },
  RESOURCE_EXHAUSTED: { grpc: 8, http: 429, partner: 'rate_limited', retry: true, class: 'dependency' },
  FAILED_PRECONDITION: { grpc: 9, http: 400, partner: 'invalid_input', retry: false, class: 'defect' },
  ABORTED: { grpc: 10, http: 500, partner: 'internal_error', retry: true, class: 'dependency' },
  INTERNAL: { grpc: 13, http: 500, partner: 'internal_error', retry: true, class: 'defect' },
  UNAVAILABLE: { grpc: 14, http: 500, partner: 'internal_error', retry: true, class: 'dependency' },
  UNAUTHENTICATED: { grpc: 16, http: 401, partner: 'invalid_credentials', retry: false, class: 'dependency' },
};

/** The class of reasons that are not `input`, as the other failure codes are. */
const reasonClasses = new Map<string, ErrorClass>([
  ['transcode_failed', 'defect'],
  ['internal_error', 'defect'],
  ['worker_killed', 'crash'],
  ['program_killed', 'crash'],
  ['program_not_started', 'dependency'],
  // A program or an engine that hangs on one input, unlike a server that does not answer.
  ['timed_out', 'defect'],
]);

/** Disk full, permission denied, out of resources, and connections that fail: https://nodejs.org/api/errors.html */
const systemErrors = new Set(
  (
    'ENOSPC EDQUOT EROFS EIO EACCES EPERM EMFILE ENFILE ENOMEM EAGAIN EBUSY ECONNREFUSED ECONNRESET ECONNABORTED ' +
    'EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT'
  ).split(' '),
);

/**
 * Connection lost, rolled back, out of resources, locked, shut down; read-only (a standby, or a full disk of a managed
 * server), a missing permission: https://www.postgresql.org/docs/15/errcodes-appendix.html
 */
const transientSqlState = /^(08|40|53|57|58)[0-9A-Z]{3}$|^(55P03|25006|42501)$/;

/** Errors of `pg` without a code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed))/;

/**
 * Prisma's own: no server, no reply, connection closed, no connection in time, too many connections:
 * https://www.prisma.io/docs/orm/reference/error-reference
 */
const transientPrisma = /^P(1001|1008|1017|2024|2037)$/;

export type AppErrorOptions = ErrorOptions & {
  /** A finer name under the code, such as a failure code or `missing_credentials`. */
  readonly reason?: string;
  /** Values that the reader of the message may see. */
  readonly details?: Readonly<Record<string, string>>;
};

/** The only error class. Its message tells the reader what to do. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly details: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.reason = options.reason;
    this.details = options.details ?? {};
  }
}

const byGrpcStatus = new Map(Object.entries(errorTable).map(([code, row]) => [row.grpc, code as ErrorCode]));

export function notFound(what: string): AppError {
  return new AppError('NOT_FOUND', `${what} does not exist`);
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a numeric gRPC status; INTERNAL for one that is not in the table. */
export function codeOfGrpcStatus(grpc: number): ErrorCode {
  return byGrpcStatus.get(grpc) ?? 'INTERNAL';
}

export type Classified = {
  readonly class: ErrorClass;
  /** One thing does not exist, such as an object, while the dependency that should have it works. */
  readonly missing: boolean;
  /** A retry cannot help: the input itself is invalid. */
  readonly permanent: boolean;
};

/**
 * The one classification of thrown values, for messages, jobs, engines and calls (an unknown error is a defect that a
 * retry may fix).
 */
export function classify(error: unknown): Classified {
  const permanent = error instanceof AppError && !errorTable[error.code].retry;
  return { class: errorClass(error), missing: isMissing(error), permanent };
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === 'NOT_FOUND' || (errorTable[error.code].class === 'defect' && isMissing(error.cause));
}

function errorClass(error: unknown): ErrorClass {
  if (error instanceof AppError) {
    const { code, reason, cause } = error;
    const byReason =
      reason === undefined ? undefined : (reasonClasses.get(reason) ?? (isFailureCode(reason) && 'input'));
    if (byReason) return byReason;
    const byCode = errorTable[code].class;
    const byCause = byCode === 'defect' ? errorClass(cause) : byCode;
    return byCause === 'dependency' || byCause === 'crash' ? byCause : byCode;
  }
  if (typeof error !== 'object' || error === null) return 'defect';
  if (isTransient(error)) return 'dependency';
  const { cause, meta } = error as { readonly cause?: unknown; readonly meta?: { driverAdapterError?: unknown } };
  const byCause = errorClass(meta?.driverAdapterError ?? cause);
  return byCause === 'dependency' || byCause === 'crash' ? byCause : 'defect';
}

/** Whether an error of Node.js, a database or a library means that something is temporarily unavailable. */
function isTransient(error: object): boolean {
  const {
    code,
    originalCode = code,
    severity,
    message = '',
    name,
  } = error as Readonly<Partial<Record<'code' | 'originalCode' | 'severity' | 'message' | 'name', unknown>>>;
  return (
    systemErrors.has(String(code)) ||
    transientSqlState.test(String(originalCode)) ||
    transientPrisma.test(String(code)) ||
    // PostgreSQL refused or ended the connection: https://www.postgresql.org/docs/15/protocol-error-fields.html
    severity === 'FATAL' ||
    severity === 'PANIC' ||
    lostConnection.test(String(message)) ||
    name === 'AbortError' ||
    name === 'TimeoutError'
  );
}

/** The result of a look-up, or undefined where it is rejected with NOT_FOUND. */
export async function orUndefinedIfNotFound<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
