/** How a connection URL of PostgreSQL is read, by services and by migrations alike. */
import type { ClientConfig } from 'pg';

/** Modes of libpq that ask for TLS. Certificates are always checked here, against NODE_EXTRA_CA_CERTS too. */
const encrypted: ReadonlySet<string | null> = new Set(['require', 'verify-ca', 'verify-full']);

/**
 * Separate fields instead of a URL, so that no password is ever part of a printed one.
 * @param password wins over one in the URL
 */
export function connectionOf(databaseUrl: string, password?: string) {
  const target = new URL(databaseUrl);
  return {
    host: target.hostname,
    port: Number(target.port || 5432),
    database: decodeURIComponent(target.pathname.slice(1)),
    user: decodeURIComponent(target.username),
    password: password ?? decodeURIComponent(target.password),
    ...(encrypted.has(target.searchParams.get('sslmode')) && { ssl: true }),
  } satisfies ClientConfig;
}
