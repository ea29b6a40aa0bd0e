/** Waiting for servers that are only just starting, and saying so. */
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@vds/chassis/errors';
import pg from 'pg';
import { adminConfig, type PostgresServer } from './databases.ts';

export type Waited = {
  readonly what: string;
  /** Throws while the server does not answer. */
  readonly ask: () => Promise<void>;
};
export type Patience = { readonly capMs: number; readonly everyMs: number; readonly say: (line: string) => void };

/** An answer that will not change by waiting. */
export class Refusal extends Error {}

/** invalid_authorization_specification and invalid_password */
const REFUSED = new Set(['28000', '28P01']);
const SAY_EVERY_MS = 10_000;

/** PostgreSQL takes its superuser. */
export function postgresAnswers(server: PostgresServer): Waited {
  const { host, port, adminUser } = server.postgres;
  return {
    what: `PostgreSQL at ${host}:${port}`,
    ask: async () => {
      const client = new pg.Client({ ...adminConfig(server, 'postgres'), connectionTimeoutMillis: 5_000 });
      client.on('error', () => undefined); // the query below throws it
      try {
        await client.connect();
        await client.query('select 1');
      } catch (error) {
        if (!REFUSED.has((error as { code?: string }).code ?? '')) throw error;
        throw new Refusal(
          `it refuses the user ${adminUser} (${messageOf(error)}); a data folder keeps the password that it was made with`,
        );
      } finally {
        await client.end().catch(() => undefined); // it may never have been connected
      }
    },
  };
}

/** The address answers with a status below 500. */
export function httpAnswers(what: string, url: string): Waited {
  return {
    what: `${what} at ${new URL(url).host}`,
    ask: async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      await response.arrayBuffer();
      if (response.status >= 500) throw new Error(`answers ${response.status}`);
    },
  };
}

/** Asks until the server answers. @throws Error that says who did not, and why, after `capMs` or at a refusal */
export async function untilItAnswers({ what, ask }: Waited, { capMs, everyMs, say }: Patience): Promise<void> {
  const from = performance.now();
  let said = from - SAY_EVERY_MS;
  for (;;) {
    try {
      await ask();
      say(`${what} answers`);
      return;
    } catch (error) {
      const now = performance.now();
      if (error instanceof Refusal) throw new Error(`${what}: ${error.message}`, { cause: error });
      if (now - from >= capMs)
        throw new Error(`${what} did not answer within ${Math.round(capMs / 1_000)} s: ${reasonOf(error)}`, {
          cause: error,
        });
      if (now - said >= SAY_EVERY_MS) {
        said = now;
        say(`waiting for ${what}: ${reasonOf(error)}`);
      }
    }
    await pause(everyMs);
  }
}

/** `fetch failed` says less than what is behind it. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
