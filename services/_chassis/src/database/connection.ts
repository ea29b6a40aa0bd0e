/** How to connect to a service's PostgreSQL database: its pool, its migrations and Prisma. */
import type { ClientConfig } from 'pg';

/** Modes of libpq that require TLS. Certificates are always verified here, against NODE_EXTRA_CA_CERTS too. */
const tlsModes: ReadonlySet<string | null> = new Set(['require', 'verify-ca', 'verify-full']);

/**
 * Separate fields instead of a URL, so that no error message ever contains the password.
 * @param password overrides the one in the URL
 */
export function connectionOf(databaseUrl: string, password?: string) {
  const target = new URL(databaseUrl);
  return {
    host: target.hostname,
    port: Number(target.port || 5432),
    database: decodeURIComponent(target.pathname.slice(1)),
    user: decodeURIComponent(target.username),
    password: password ?? decodeURIComponent(target.password),
    ...(tlsModes.has(target.searchParams.get('sslmode')) && { ssl: true }),
  } satisfies ClientConfig;
}

/**
 * For `defineConfig` in a service's `prisma.config.ts`: Prisma's command line with the JavaScript engine on the service's
 * own driver. `DATABASE_URL` and `DATABASE_PASSWORD` name the database.
 */
export function prismaSettings(environment: Readonly<Record<string, string | undefined>>) {
  const url = environment['DATABASE_URL'] ?? 'postgresql://localhost/none';
  return {
    experimental: { adapter: true },
    engine: 'js' as const,
    adapter: async () => {
      // Imported here, as services without a Prisma client use this file too.
      const { PrismaPg } = await import('@prisma/adapter-pg');
      // Separate fields, not a connection string: the shadow database of `migrate dev` replaces `database` alone.
      return new PrismaPg(connectionOf(url, environment['DATABASE_PASSWORD']));
    },
    schema: 'prisma/schema.prisma',
    migrations: { path: 'prisma/migrations' },
  };
}
