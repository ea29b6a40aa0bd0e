/**
 * One kind of error for the whole house, and the one table that says what each code means on every protocol.
 * Codes are gRPC's canonical names (https://grpc.io/docs/guides/status-codes/).
 */
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

export type ErrorRow = {
  /** Numeric gRPC status. */
  readonly grpc: number;
  /** HTTP status of the partner's interface (spec §7). */
  readonly http: 400 | 401 | 403 | 404 | 429 | 500;
  /** `error.code` of the partner's envelope (spec §7). */
  readonly partner: string;
  /** Whether the same work may succeed when tried again; false buries a message or fails a unit at once. */
  readonly retry: boolean;
};

export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = {
  CANCELLED: { grpc: 1, http: 500, partner: 'internal_error', retry: true },
  INVALID_ARGUMENT: { grpc: 3, http: 400, partner: 'invalid_input', retry: false },
  DEADLINE_EXCEEDED: { grpc: 4, http: 500, partner: 'internal_error', retry: true },
  NOT_FOUND: { grpc: 5, http: 404, partner: 'not_found', retry: false },
  ALREADY_EXISTS: { grpc: 6, http: 500, partner: 'internal_error', retry: false },
  PERMISSION_DENIED: { grpc: 7, http: 403, partner: 'insufficient_scope', retry: false },
  RESOURCE_EXHAUSTED: { grpc: 8, http: 429, partner: 'rate_limited', retry: true },
  FAILED_PRECONDITION: { grpc: 9, http: 400, partner: 'invalid_input', retry: false },
  ABORTED: { grpc: 10, http: 500, partner: 'internal_error', retry: true },
  INTERNAL: { grpc: 13, http: 500, partner: 'internal_error', retry: true },
  UNAVAILABLE: { grpc: 14, http: 500, partner: 'internal_error', retry: true },
  UNAUTHENTICATED: { grpc: 16, http: 401, partner: 'invalid_credentials', retry: false },
};

export type AppErrorOptions = ErrorOptions & {
  /** A finer name under the code, such as a failure code or `missing_credentials`. */
  readonly reason?: string;
  /** Facts that may be shown to the reader of the message. */
  readonly details?: Readonly<Record<string, string>>;
};

/** The only error class of the house. Its message tells its reader what to do. */
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

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True when trying again cannot help: the input itself is at fault. Unknown errors are taken as passing. */
export function isPermanent(error: unknown): boolean {
  return error instanceof AppError && !errorTable[error.code].retry;
}

/** The house's code for a numeric gRPC status; INTERNAL for one that the house never sends. */
export function codeOfGrpcStatus(grpc: number): ErrorCode {
  return byGrpcStatus.get(grpc) ?? 'INTERNAL';
}
