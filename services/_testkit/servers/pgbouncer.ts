/** PgBouncer as a process, without TLS, in front of a PostgreSQL server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { randomSecret } from '@vds/deploy-tools/installation';
import { pgbouncer } from '../programs/pgbouncer.ts';
import { until } from '../until.ts';
import { isRoot } from './command.ts';
import { freePort } from './free-port.ts';

export type Pooler = Awaited<ReturnType<typeof startPgbouncer>>;
type Options = {
  readonly server: { readonly host: string; readonly port: number };
  /** Of the section `[pgbouncer]`, beside addresses, users and TLS. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** Passwords by role. */
  readonly users: ReadonlyMap<string, string>;
};

const ADMIN = 'console';

/** Starts it; `close` ends it and removes its files. */
export async function startPgbouncer(options: Options) {
  const program = pgbouncer();
  if (program === null) throw new Error('PgBouncer is not installed: run `npm run servers -- install pgbouncer`.');
  const port = await freePort();
  const password = randomSecret();
  const { dir, config } = writeFiles(options, port, password);
  const child = spawn(program, [...(isRoot() ? ['-u', 'nobody'] : []), config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (data: Buffer) => (output = `${output}${String(data)}`.slice(-20_000)));
  const exited = once(child, 'exit');
  const login = { host: '127.0.0.1', port, user: ADMIN, password, database: 'pgbouncer' };
  const show = async (what: 'CLIENTS' | 'SERVERS'): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client(login);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(`SHOW ${what}`)).rows;
    } finally {
      await client.end();
    }
  };
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(output);
      return await show('CLIENTS').then(
        () => true,
        () => false, // not yet
      );
    },
    { what: 'PgBouncer is ready' },
  );
  return {
    host: '127.0.0.1',
    port,
    /** Rows of its console. */
    show,
    close: async (): Promise<void> => {
      child.kill('SIGTERM');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Its configuration and the passwords, in a new folder. */
function writeFiles({ server, settings, users }: Options, port: number, password: string) {
  const dir = mkdtempSync(join(tmpdir(), 'vds-pgbouncer-'));
  chmodSync(dir, 0o755); // it refuses to run as root, and reads its files as another user
  const file = (name: string, lines: readonly string[]): string => {
    const path = join(dir, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  const accounts = [...users, [ADMIN, password] as const].map(([name, secret]) => `"${name}" "${secret}"`);
  const all = {
    ...settings,
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_file: file('users.txt', accounts),
    admin_users: ADMIN,
  };
  const config = file('pgbouncer.ini', [
    '[databases]',
    `* = host=${server.host} port=${server.port}`,
    '[pgbouncer]',
    ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
  ]);
  return { dir, config };
}
