/**
 * What Prisma's command line needs for one service's database: the pure JavaScript engine on the service's own driver;
 * and what every client is set to.
 * Prisma 6 reads it from each service's `prisma.config.ts`.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { connectionOf } from './database-url.ts';

/** Settings for `defineConfig`; `DATABASE_URL` (and `DATABASE_PASSWORD`) say which database. */
export function prismaSettings(environment: Readonly<Record<string, string | undefined>>) {
  const url = environment['DATABASE_URL'] ?? 'postgresql://localhost/none';
  return {
    experimental: { adapter: true },
    engine: 'js' as const,
    // Separate fields, not a connection string: the shadow database of `migrate dev` replaces `database` alone.
    adapter: async () => new PrismaPg(connectionOf(url, environment['DATABASE_PASSWORD'])),
    schema: 'prisma/schema.prisma',
    migrations: { path: 'prisma/migrations' },
  };
}

/**
 * Of every client, in milliseconds: replicas that boot at once on a busy machine wait for their first connections longer
 * than Prisma's own 2 s.
 */
export const prismaTransactions = { maxWait: 10_000, timeout: 20_000 } as const;
