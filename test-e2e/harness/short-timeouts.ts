/** The contract's times, shortened: tests cannot wait five minutes. */
import { stageOwners } from '@vds/proto/stages';
import type { StackOptions } from '@vds/testkit/stack/start-stack';

/** How long viewers still get the video after an archive; five minutes in production. */
export const GATE_GRACE_MS = 2_000;

/** A killed worker's jobs are claimed again after 6 s. What stands still for long, or is missing, is another test's. */
const TIME_SCALE = '0.1,renew=1s,stall=30m,missingLimit=10m';

/** Variables by service. */
export const shortTimeouts = {
  ...Object.fromEntries(stageOwners.map((owner) => [owner, { TIME_SCALE }])),
  ingest: { TIME_SCALE: `${TIME_SCALE},sourceDelays=200ms+200ms+300ms+300ms+500ms,headers=1500ms,idle=1500ms` },
  analytics: { TIME_SCALE: 'flushEvery=1s' },
  catalog: { TIME_SCALE: `0.1,gateGrace=${GATE_GRACE_MS}ms,decideAfterConnect=10s` },
} satisfies StackOptions['env'];
