/** Every fault of a source: its failure code, and how many tries it is worth. */
import { AppError } from '@vds/chassis/errors';
import type { FailureCode } from '@vds/proto/failures';

type FaultRow = {
  readonly code: FailureCode;
  /** How many consecutive tries may end this way before the fetch fails; 1 fails at once. */
  readonly tries: number;
  /** For our logs; the partner reads the sentence of proto/failures.ts. */
  readonly message: string;
};

const SOME_TRIES = 3;
const ALL_TRIES = 6;

export const sourceFaults = {
  address_blocked: { code: 'source_address_blocked', tries: 1, message: 'the address is not a public HTTPS address' },
  name_unknown: { code: 'source_unreachable', tries: SOME_TRIES, message: 'the host name has no address' },
  dns_failed: { code: 'source_unreachable', tries: ALL_TRIES, message: 'the host name could not be resolved' },
  connect_failed: { code: 'source_unreachable', tries: ALL_TRIES, message: 'no connection could be made' },
  certificate_invalid: { code: 'source_unreachable', tries: 1, message: 'the certificate is not valid for the host' },
  tls_unsupported: { code: 'source_unreachable', tries: 1, message: 'the host and we have no TLS in common' },
  tls_failed: { code: 'source_unreachable', tries: ALL_TRIES, message: 'the TLS handshake failed' },
  response_missing: {
    code: 'source_server_error',
    tries: ALL_TRIES,
    message: 'the connection was closed without a response',
  },
  response_invalid: { code: 'source_server_error', tries: 1, message: 'the response is not valid HTTP' },
  redirects_exceeded: { code: 'source_too_many_redirects', tries: 1, message: 'too many redirects' },
  redirect_invalid: { code: 'source_server_error', tries: 1, message: 'a redirect without a valid location' },
  encoding_rejected: {
    code: 'source_encoded',
    tries: 1,
    message: 'the body is compressed although identity was requested',
  },
  status_forbidden: { code: 'source_forbidden', tries: 1, message: 'the host denied access' },
  status_not_found: { code: 'source_not_found', tries: 1, message: 'the host has no such file' },
  status_transient: {
    code: 'source_server_error',
    tries: ALL_TRIES,
    message: 'the host cannot serve the file now',
  },
  status_rejected: {
    code: 'source_server_error',
    tries: 1,
    message: 'the status of the response is not that of a file',
  },
  connect_timeout: { code: 'source_timeout', tries: ALL_TRIES, message: 'no connection within its deadline' },
  tls_timeout: { code: 'source_timeout', tries: ALL_TRIES, message: 'no TLS handshake within its deadline' },
  headers_timeout: { code: 'source_timeout', tries: ALL_TRIES, message: 'no response within its deadline' },
  idle_timeout: { code: 'source_timeout', tries: ALL_TRIES, message: 'the body stalled' },
  rate_too_low: { code: 'source_timeout', tries: ALL_TRIES, message: 'the body was below the minimum rate' },
  total_timeout: { code: 'source_timeout', tries: 1, message: 'the whole fetch took too long' },
  body_truncated: { code: 'source_truncated', tries: ALL_TRIES, message: 'the body ended before its announced length' },
  too_large: { code: 'source_too_large', tries: 1, message: 'the file is larger than the cap' },
} as const satisfies Record<string, FaultRow>;

export type SourceFaultKind = keyof typeof sourceFaults;

/**
 * An error whose `reason` is the kind of fault.
 * @param details what the partner may read; never an internal address
 */
export function sourceFault(
  kind: SourceFaultKind,
  { cause, details = {} }: { cause?: unknown; details?: Readonly<Record<string, string>> } = {},
): AppError {
  const { tries, message } = sourceFaults[kind];
  return new AppError(tries === 1 ? 'FAILED_PRECONDITION' : 'UNAVAILABLE', message, { cause, reason: kind, details });
}

/** The response's status, which is a detail of every fault of a response. */
export function statusOf(status: number): { readonly http_status: string } {
  return { http_status: String(status) };
}

/** Faults that a failure of our own network or DNS would cause as well. */
const networkFaults: ReadonlySet<SourceFaultKind> = new Set(['dns_failed', 'connect_failed', 'connect_timeout']);

/** Whether the host was not reached at all, which may as well be a fault of our own network. */
export function isUnreached(kind: SourceFaultKind): boolean {
  return networkFaults.has(kind);
}

/** The kind of a fault made by `sourceFault`, or undefined for every other error, which is our own. */
export function faultKindOf(error: unknown): SourceFaultKind | undefined {
  const reason = error instanceof AppError ? error.reason : undefined;
  return reason !== undefined && Object.hasOwn(sourceFaults, reason) ? (reason as SourceFaultKind) : undefined;
}
