/** What a call can end with, other than its answer. */
import type { components } from '../../generated/openapi.ts';

/** Codes of the interface (spec §7), or `unexpected_response` when what answered did not speak it: a proxy, for example. */
export type ErrorCode = components['schemas']['Error']['error']['code'] | 'unexpected_response';

type ApiFacts = {
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
};

/** The service refused the request, or failed at it after all retries. */
export class ApiError extends Error implements ApiFacts {
  override readonly name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Names the request in the operator's logs; quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** Of a 429: whole seconds after which the request may be sent again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: ApiFacts) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** No answer came: the connection failed or took too long. The request may have been carried out all the same. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
