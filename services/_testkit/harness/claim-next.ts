/** Claims as a separate idle process would. */
import type { Pool } from '@vds/chassis/database/database';
import { claim, type ClaimOptions } from '@vds/chassis/work/claim';
import type { ClaimedJob } from '@vds/chassis/work/job-rows';

const idleProcess: ClaimOptions = {
  ...{ leaseMs: 60_000, claimant: 'test', idle: true, quarantineWaitMs: 60_000, expired: true },
  ...{ closed: [], crowdedTenants: [], crowdedOrigins: [], held: [], served: [] },
};

export function claimNext(
  pool: Pool,
  queue: string,
  options: Partial<ClaimOptions> = {},
): Promise<ClaimedJob | undefined> {
  return claim(pool, queue, { ...idleProcess, ...options });
}
