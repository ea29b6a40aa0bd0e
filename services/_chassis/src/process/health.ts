/**
 * The admin port: `/livez` (the process turns; never touches a dependency), `/readyz` (booted, not draining, and every
 * check passes) and `/metrics`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../errors.ts';
import { together, type Metrics } from '../telemetry/metrics.ts';

export type Check = () => Promise<unknown>;
export type Health = Awaited<ReturnType<typeof startHealth>>;

type Phase = 'booting' | 'serving' | 'draining';

type Answer = { readonly status: number; readonly type: string; readonly body: string };

/**
 * Starts the admin server.
 * @param port 0 picks a free one
 * @param checkTimeoutMs how long one readiness check may take
 */
export async function startHealth(port: number, metrics: Metrics, checkTimeoutMs = 2_000) {
  const checks = new Map<string, Check>();
  let phase: Phase = 'booting';
  measure(metrics, () => readiness(phase, checks, checkTimeoutMs));
  const answer = async (path: string): Promise<Answer> => {
    if (path === '/livez') return plain(200, 'ok');
    if (path === '/metrics')
      return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
    if (path !== '/readyz') return plain(404, 'the admin port serves /livez, /readyz and /metrics');
    const state = await readiness(phase, checks, checkTimeoutMs);
    return { status: state.ready ? 200 : 503, type: 'application/json', body: `${JSON.stringify(state)}\n` };
  };
  const server = createServer((request, response) => {
    answer((request.url ?? '/').split('?')[0] ?? '/')
      .catch((error: unknown) => plain(500, messageOf(error)))
      .then(
        ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
        () => response.destroy(), // the client left while the answer was written
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  return {
    port: (server.address() as AddressInfo).port,
    /** Adds a dependency that must answer before traffic may come. */
    add: (name: string, check: Check): void => void checks.set(name, check),
    serving: (): void => void (phase = 'serving'),
    draining: (): void => void (phase = 'draining'),
    close,
  };
}

/** What the probes see, for who looks at metrics alone. */
function measure(metrics: Metrics, ask: () => ReturnType<typeof readiness>): void {
  const look = together(ask);
  metrics.gauge('vds_ready', '1 while traffic may come', [], async (gauge) => gauge.set((await look()).ready ? 1 : 0));
  metrics.gauge('vds_check_passes', '1 while a check of readiness passes', ['check'], async (gauge) => {
    const { checks } = await look();
    for (const [check, outcome] of Object.entries(checks)) gauge.set({ check }, outcome === 'ok' ? 1 : 0);
  });
}

async function readiness(phase: Phase, checks: ReadonlyMap<string, Check>, timeoutMs: number) {
  const outcomes = await Promise.all(
    [...checks].map(async ([name, check]) => [name, await outcomeOf(check, timeoutMs)] as const),
  );
  const ready = phase === 'serving' && outcomes.every(([, outcome]) => outcome === 'ok');
  return { ready, phase, checks: Object.fromEntries(outcomes) };
}

async function outcomeOf(check: Check, timeoutMs: number): Promise<string> {
  try {
    await within(check, timeoutMs);
    return 'ok';
  } catch (error) {
    return messageOf(error);
  }
}

async function within(check: Check, ms: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    await Promise.race([check(), promise]);
  } finally {
    clearTimeout(timer);
  }
}

function plain(status: number, body: string): Answer {
  return { status, type: 'text/plain', body: `${body}\n` };
}
