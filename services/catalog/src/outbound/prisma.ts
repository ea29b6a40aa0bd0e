/** Prisma on a pool of the service, for plain reads: its transactions leave rejections that nobody handles. */
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from '@vds/chassis/database/database';
import { PrismaClient } from '#prisma';

export type { PrismaClient } from '#prisma';

/** Opens the client; closing it leaves the pool open. */
export function openPrisma(pool: Pool) {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return Object.assign(prisma, { close: () => prisma.$disconnect() });
}
