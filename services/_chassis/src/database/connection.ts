/** How to connect to a service's PostgreSQL database: its pool, its migrations and Prisma. */
import type { ClientConfig } from 'pg';
import { passwordIn, type Password } from './login.ts';

/**
 * The modes with PostgreSQL's names and meanings: `require` encrypts and verifies nothing, `verify-ca` wants a
 * certificate of a known authority (NODE_EXTRA_CA_CERTS), `verify-full` one for this host. `allow` and `prefer` leave
 * the choice to the server.
 */
const tlsModes = new Map<string, NonNullable<ClientConfig['ssl']>>([
  ['disable', false],
  ['require', { rejectUnauthorized: false }],
  ['verify-ca', { checkServerIdentity: () => undefined }],
  ['verify-full', true],
]);

/**
 * Limits of a session, in milliseconds. Services ask for them when they connect; provisioning also sets them for their role:
 * a pooler drops what its clients ask for.
 */
export const sessionLimits = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
} as const satisfies ClientConfig;

/**
 * Separate fields instead of a URL, so that no error message ever contains the password.
 * @param password overrides the one in the URL; a function is called for each connection
 * @throws Error for an sslmode that lets the server choose no TLS
 */
export function connectionOf(databaseUrl: string, password?: Password) {
  const target = new URL(databaseUrl);
  return {
    host: target.hostname,
    port: Number(target.port || 5432),
    database: decodeURIComponent(target.pathname.slice(1)),
    user: decodeURIComponent(target.username),
    password: password ?? decodeURIComponent(target.password),
    ssl: tlsOf(target),
  } satisfies ClientConfig;
}

function tlsOf(target: URL): NonNullable<ClientConfig['ssl']> {
  const [mode = 'disable', ...more] = target.searchParams.getAll('sslmode');
  const tls = more.length === 0 ? tlsModes.get(mode) : undefined;
  if (tls === undefined) throw new Error('sslmode must be disable, require, verify-ca or verify-full, and stated once');
  return tls;
}

/**
 * For `defineConfig` in a service's `prisma.config.ts`: Prisma's command line with the JavaScript engine on the service's
 * own driver. The variables are those of a service.
 */
export function prismaSettings(environment: Readonly<Record<string, string | undefined>>) {
  const url = environment['DATABASE_URL'] ?? 'postgresql://localhost/none';
  return {
    experimental: { adapter: true },
    engine: 'js' as const,
    adapter: async () => {
      // Imported here: services without a Prisma client use this file too.
      const { PrismaPg } = await import('@prisma/adapter-pg');
      // Separate fields, not a connection string: the shadow database of `migrate dev` replaces `database` alone.
      return new PrismaPg(connectionOf(url, passwordIn(environment, url)));
    },
    schema: 'prisma/schema.prisma',
    migrations: { path: 'prisma/migrations' },
  };
}
