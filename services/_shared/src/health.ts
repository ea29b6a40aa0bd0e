/**
 * The admin port: `/livez` (the process turns; never touches a dependency), `/readyz` (booted, not draining, and every
 * check passes) and `/metrics`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from './errors.ts';
import type { Metrics } from './metrics.ts';

export type Check = () => Promise<unknown>;
export type Health = Awaited<ReturnType<typeof startHealth>>;

const within = async (check: Check, ms: number): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    await Promise.race([check(), promise]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Starts the admin server.
 * @param port 0 picks a free one
 * @param checkTimeoutMs how long one readiness check may take
 */
export const startHealth = async (port: number, metrics: Metrics, checkTimeoutMs = 2_000) => {
  const checks = new Map<string, Check>();
  let phase: 'booting' | 'serving' | 'draining' = 'booting';

  const readiness = async (): Promise<{ ready: boolean; phase: string; checks: Record<string, string> }> => {
    const results = await Promise.all(
      [...checks].map(async ([name, check]) => {
        try {
          await within(check, checkTimeoutMs);
          return [name, 'ok'] as const;
        } catch (error) {
          return [name, messageOf(error)] as const;
        }
      }),
    );
    const ready = phase === 'serving' && results.every(([, result]) => result === 'ok');
    return { ready, phase, checks: Object.fromEntries(results) };
  };

  const answer = async (path: string): Promise<{ status: number; type: string; body: string }> => {
    if (path === '/livez') return { status: 200, type: 'text/plain', body: 'ok\n' };
    if (path === '/readyz') {
      const state = await readiness();
      return { status: state.ready ? 200 : 503, type: 'application/json', body: `${JSON.stringify(state)}\n` };
    }
    if (path === '/metrics')
      return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
    return { status: 404, type: 'text/plain', body: 'the admin port serves /livez, /readyz and /metrics\n' };
  };

  const server = createServer((request, response) => {
    answer((request.url ?? '/').split('?')[0] ?? '/').then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      (error: unknown) => response.writeHead(500, { 'content-type': 'text/plain' }).end(`${messageOf(error)}\n`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    /** Adds a dependency that must answer before traffic may come. */
    add: (name: string, check: Check): void => void checks.set(name, check),
    serving: (): void => void (phase = 'serving'),
    draining: (): void => void (phase = 'draining'),
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
