/** The contract's times, shortened: they are settings, and tests cannot wait five minutes. */
import { stageOwners } from '@vds/proto/stages';
import type { StackOptions } from '@vds/testkit/stack/start-stack';

/** How long viewers still get the video after an archive; five minutes in production. */
export const GATE_GRACE_MS = 2_000;

/** After this time a killed worker's jobs are claimed again. */
const work = { WORK_LEASE: '6s', WORK_RENEW: '1s', WORK_BREAKER_PAUSE: '500ms' };

/** Variables by service. */
export const shortTimeouts = {
  ...Object.fromEntries(stageOwners.map((owner) => [owner, work])),
  ingest: {
    RETRY_DELAYS: '200ms,200ms,300ms,300ms,500ms',
    HEADERS_TIMEOUT: '1500ms',
    IDLE_TIMEOUT: '1500ms',
    ...work,
  },
  analytics: { FLUSH_EVERY: '1s' },
  catalog: {
    GATE_GRACE: `${GATE_GRACE_MS}ms`,
    DELETE_GRACE: '2s',
    REPUBLISH_FIRST: '3s',
    REPUBLISH_MAX: '5s',
    MIN_AWAIT: '10s',
  },
} satisfies StackOptions['env'];
