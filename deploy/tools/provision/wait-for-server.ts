/** Waiting for servers that are still starting, with progress lines. */
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@vds/chassis/errors';
import pg from 'pg';
import { adminConfig, type PostgresServer } from './databases.ts';

export type ServerProbe = {
  /** The server's name and address. */
  readonly server: string;
  /** Throws while the server is not ready; PermanentError if waiting is pointless. */
  readonly check: () => Promise<void>;
};
export type WaitOptions = {
  readonly timeoutMs: number;
  readonly intervalMs: number;
  readonly log: (line: string) => void;
};

/** A failure that waiting does not cure. */
export class PermanentError extends Error {}

/** invalid_authorization_specification and invalid_password */
const LOGIN_REJECTED = new Set(['28000', '28P01']);
const LOG_INTERVAL_MS = 10_000;

/** PostgreSQL accepts its administrator. */
export function postgresProbe(server: PostgresServer): ServerProbe {
  const { host, port, adminUser, maintenanceDatabase = 'postgres' } = server.postgres;
  return {
    server: `PostgreSQL at ${host}:${port}`,
    check: async () => {
      const client = new pg.Client({ ...adminConfig(server, maintenanceDatabase), connectionTimeoutMillis: 5_000 });
      client.on('error', () => undefined); // the query below reports it
      try {
        await client.connect();
        await client.query('select 1');
      } catch (error) {
        if (!LOGIN_REJECTED.has((error as { code?: string }).code ?? '')) throw error;
        throw new PermanentError(
          `it rejects the user ${adminUser} (${messageOf(error)}); a data folder keeps the password that it was initialized with`,
        );
      } finally {
        await client.end().catch(() => undefined); // it may never have been connected
      }
    },
  };
}

/** The URL answers with a status below 500. */
export function httpProbe(name: string, url: string): ServerProbe {
  return {
    server: `${name} at ${new URL(url).host}`,
    check: async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      await response.arrayBuffer();
      if (response.status >= 500) throw new Error(`answers ${response.status}`);
    },
  };
}

/** Probes until the server is ready. @throws Error with the last reason, after `timeoutMs` or at a PermanentError */
export async function waitForServer(
  { server, check }: ServerProbe,
  { timeoutMs, intervalMs, log }: WaitOptions,
): Promise<void> {
  const from = performance.now();
  let logged = from - LOG_INTERVAL_MS;
  for (;;) {
    try {
      await check();
      log(`${server} is ready`);
      return;
    } catch (error) {
      const now = performance.now();
      if (error instanceof PermanentError) throw new Error(`${server}: ${error.message}`, { cause: error });
      if (now - from >= timeoutMs)
        throw new Error(`${server} was not ready within ${Math.round(timeoutMs / 1_000)} s: ${reasonOf(error)}`, {
          cause: error,
        });
      if (now - logged >= LOG_INTERVAL_MS) {
        logged = now;
        log(`waiting for ${server}: ${reasonOf(error)}`);
      }
    }
    await pause(intervalMs);
  }
}

/** The cause, if there is one: `fetch failed` alone explains nothing. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
