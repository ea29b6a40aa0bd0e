/** Errors of a call. */
import type { components } from '../../../proto/generated/openapi.ts';

/** Codes of the interface (spec §7), or `unexpected_response` when something else responded: a proxy, for example. */
export type ErrorCode = components['schemas']['Error']['error']['code'] | 'unexpected_response';

type ApiErrorDetails = {
  readonly status: number;
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
};

/** The service rejected the request, or failed after all retries. */
export class ApiError extends Error implements ApiErrorDetails {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Of a 400: the field or header that it is about, such as `tags[3]`. */
  readonly param: string | undefined;
  /** Identifies the request in the operator's logs; quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** Of a 429: whole seconds after which the request may be sent again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, details: ApiErrorDetails) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.param = details.param;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** There was no response: the connection failed or timed out. The request may still have been processed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
