/** Settings of the service for tests. */
/** They make contract times short, but not so short that a busy machine runs into them. */
export const SHORT_TIMES = {
  CONNECT_TIMEOUT: '5s',
  TLS_TIMEOUT: '5s',
  DNS_TIMEOUT: '5s',
  HEADERS_TIMEOUT: '10s',
  IDLE_TIMEOUT: '10s',
  RETRY_DELAYS: '20ms,30ms,40ms,50ms,60ms',
  WORK_LEASE: '2s',
  WORK_RENEW: '500ms',
  PROGRESS_EVERY: '50ms',
};

/** Deadlines of a source that the tests of bad sources wait for. */
export const SHORT_DEADLINES = {
  HEADERS_TIMEOUT: '1s',
  IDLE_TIMEOUT: '1s',
  MIN_RATE: '10000',
  MIN_RATE_WINDOW: '1s',
  TOTAL_TIMEOUT: '14s',
};
