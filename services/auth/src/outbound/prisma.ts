/** Prisma on the service's one pool. */
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from '@vds/shared/database';
import { PrismaClient } from '#prisma';

export type { PrismaClient } from '#prisma';
/** The client inside a transaction. */
export type Writer = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];

/** Opens the client; closing it leaves the pool open. */
export const openPrisma = (pool: Pool) => {
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    // Replicas that boot at once on a busy machine wait for their first connections longer than Prisma's 2 s.
    transactionOptions: { maxWait: 10_000, timeout: 20_000 },
  });
  return Object.assign(prisma, { close: () => prisma.$disconnect() });
};
