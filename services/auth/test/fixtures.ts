/** Keys, databases and running auth processes for the tests. */
import { randomBytes } from 'node:crypto';
import { auth } from '@vds/proto';
import type { AuthAdminClient } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import type { AuthServiceClient } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { noTls, rpcCallers, tokenOf } from '@vds/testkit/harness/rpc-callers';
import { spawnService } from '@vds/testkit/harness/service-process';
import { openTestPool, testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { expect } from 'chai';
import fc from 'fast-check';
import type pg from 'pg';
import { BASE62 } from '../src/domain/api-key.ts';

const SERVICE_DIR = new URL('..', import.meta.url);
const CALLERS = ['gateway', 'playback', 'analytics', 'apps', 'vdsctl'] as const;
export type Caller = (typeof CALLERS)[number];

export const BOTH_SCOPES = ['videos:read', 'videos:write'];

/** Random text in the alphabet of API keys. */
export function base62Text(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...BASE62.split('')), minLength: length, maxLength: length });
}

/** A fresh database with auth's tables. */
export async function authDatabase(): Promise<TestDatabase> {
  return testDatabase(SERVICE_DIR);
}

/** A connection pool to it. */
export function poolOf({ poolConfig }: TestDatabase, max: number): pg.Pool {
  return openTestPool({ ...poolConfig, max });
}

/** Secrets and tokens that several replicas share. */
export function authSecrets() {
  return {
    peppers: `one:${randomBytes(32).toString('base64')}`,
    signingKeySecret: randomBytes(32).toString('base64'),
  };
}
export type AuthSecrets = ReturnType<typeof authSecrets>;

export function clientConfig(caller: Caller | 'unknown') {
  return { rpcToken: tokenOf(caller), ...noTls };
}

/** Starts a process of auth without waiting for it. */
export function spawnAuth(database: TestDatabase, secrets: AuthSecrets, env: Readonly<Record<string, string>> = {}) {
  return spawnService(SERVICE_DIR, {
    LOG_LEVEL: 'debug',
    DATABASE_URL: database.url,
    DATABASE_PASSWORD: database.password,
    KEY_PEPPERS: secrets.peppers,
    SIGNING_KEY_SECRET: secrets.signingKeySecret,
    RPC_CALLERS: rpcCallers(CALLERS),
    ...env,
  });
}

/** Starts a process of auth and waits until it serves. */
export async function startAuth(
  database: TestDatabase,
  secrets: AuthSecrets = authSecrets(),
  env: Readonly<Record<string, string>> = {},
) {
  const running = spawnAuth(database, secrets, env);
  const { rpc_port: rpcPort, admin_rpc_port: adminRpcPort } = await running.logged('serving RPC');
  const { admin_port: adminPort } = await running.logged('ready');
  const open: { close: () => Promise<void> }[] = [];
  const connected = <T extends { close: () => Promise<void> }>(client: T): T => {
    open.push(client);
    return client;
  };
  const at = (port: unknown): string => `dns:///127.0.0.1:${String(port)}`;
  const service = (caller: Caller | 'unknown', port: unknown) =>
    connected(rpcClient<AuthServiceClient>(auth.AuthService, { target: at(port), config: clientConfig(caller) }));
  return {
    ...running,
    adminRpcPort: Number(adminRpcPort),
    adminUrl: `http://127.0.0.1:${String(adminPort)}`,
    as: (caller: Caller | 'unknown') => service(caller, rpcPort),
    asOnAdminPort: (caller: Caller | 'unknown') => service(caller, adminRpcPort),
    adminAs: (caller: Caller | 'unknown') =>
      connected(rpcClient<AuthAdminClient>(auth.AuthAdmin, { target: at(adminRpcPort), config: clientConfig(caller) })),
    stop: async (): Promise<number | null> => {
      await Promise.all(open.map((client) => client.close()));
      return running.stop();
    },
  };
}
export type RunningAuth = Awaited<ReturnType<typeof startAuth>>;

/** The error that a promise rejects with. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<{ code?: string; reason?: string; message: string }> {
  return promise.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: Error) => error,
  );
}

/** Expects the one answer for every key that does not authenticate. */
export async function expectRejected(call: Promise<unknown>): Promise<void> {
  const { code, reason, message } = await failureOf(call);
  expect({ code, reason, message }).to.deep.equal({
    code: 'UNAUTHENTICATED',
    reason: 'invalid_credentials',
    message: 'The API key is malformed, unknown or revoked.',
  });
}
