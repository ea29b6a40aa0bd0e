/** Prisma on a pool of the service. */
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from '@vds/chassis/database/database';
import { prismaTransactions } from '@vds/chassis/database/connection';
import { PrismaClient } from '#prisma';

export type { PrismaClient } from '#prisma';
/** The client inside a transaction. */
export type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];

/** Opens the client; closing it leaves the pool open. */
export function openPrisma(pool: Pool) {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: prismaTransactions });
  return Object.assign(prisma, { close: () => prisma.$disconnect() });
}
