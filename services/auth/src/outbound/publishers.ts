/** Publisher accounts in the database. */
import type { Publisher } from '#prisma';
import { checkPublisherNames, type PublisherNames } from '../domain/publisher.ts';
import type { PrismaClient } from './prisma.ts';
import { randomBase62 } from './random-text.ts';

export type { Publisher } from '#prisma';

/**
 * Makes an account with a new id.
 * @throws AppError INVALID_ARGUMENT
 */
export const createPublisher = async (prisma: PrismaClient, names: PublisherNames): Promise<Publisher> =>
  prisma.publisher.create({ data: { id: `pub_${randomBase62(20)}`, ...checkPublisherNames(names) } });

/** Every account, oldest first. */
export const listPublishers = async (prisma: PrismaClient): Promise<Publisher[]> =>
  prisma.publisher.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
