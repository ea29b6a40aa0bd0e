/**
 * The admin port: `/livez` (the event loop runs, and nothing is broken that only a restart repairs, unlike an
 * unavailable dependency), `/readyz` (started, not draining, and every check passes) and `/metrics`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { singleFlight, withTimeout } from '../async.ts';
import { messageOf } from '../errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export type Check = () => Promise<unknown>;
/** Why the process must be restarted; undefined otherwise. */
type LivenessCheck = () => Promise<string | undefined>;
export type Health = Awaited<ReturnType<typeof startHealth>>;

type Phase = 'booting' | 'serving' | 'draining';

type Response = { readonly status: number; readonly type: string; readonly body: string };

/**
 * Starts the admin server.
 * @param port 0 picks a free one
 * @param checkTimeoutMs how long one readiness check may take
 */
export async function startHealth(port: number, metrics: Metrics, checkTimeoutMs = 2_000) {
  const checks = new Map<string, Check>();
  const livenessChecks: LivenessCheck[] = [];
  let phase: Phase = 'booting';
  exportReadiness(metrics, () => readiness(phase, checks, checkTimeoutMs));
  const respond = async (path: string): Promise<Response> => {
    if (path === '/livez') return await liveness(livenessChecks);
    if (path === '/metrics')
      return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
    if (path !== '/readyz') return plainText(404, 'the admin port serves /livez, /readyz and /metrics');
    const state = await readiness(phase, checks, checkTimeoutMs);
    return { status: state.ready ? 200 : 503, type: 'application/json', body: `${JSON.stringify(state)}\n` };
  };
  const server = createServer((request, response) => {
    respond((request.url ?? '/').split('?')[0] ?? '/')
      .catch((error: unknown) => plainText(500, messageOf(error)))
      .then(
        ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
        () => response.destroy(), // the client disconnected before the response was written
      );
  });
  await once(server.listen(port), 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    /** Adds a dependency that must be available before the process receives traffic. */
    add: (name: string, check: Check): void => void checks.set(name, check),
    /** Adds a reason to restart the process. */
    addLiveness: (check: LivenessCheck): void => void livenessChecks.push(check),
    serving: (): void => void (phase = 'serving'),
    draining: (): void => void (phase = 'draining'),
    close: async (): Promise<void> => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The result of the probes, as a metric. */
function exportReadiness(metrics: Metrics, check: () => ReturnType<typeof readiness>): void {
  const state = singleFlight(check);
  metrics.gauge('vds_ready', '1 while the process may receive traffic', [], async (gauge) =>
    gauge.set((await state()).ready ? 1 : 0),
  );
  metrics.gauge('vds_check_passes', '1 while a readiness check passes', ['check'], async (gauge) => {
    for (const [name, outcome] of Object.entries((await state()).checks))
      gauge.set({ check: name }, outcome === 'ok' ? 1 : 0);
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
    await withTimeout(check(), timeoutMs);
    return 'ok';
  } catch (error) {
    return messageOf(error);
  }
}

async function liveness(checks: readonly LivenessCheck[]): Promise<Response> {
  const reasons = (await Promise.all(checks.map((check) => check()))).filter((reason) => reason !== undefined);
  return reasons.length === 0 ? plainText(200, 'ok') : plainText(503, reasons.join('\n'));
}

function plainText(status: number, body: string): Response {
  return { status, type: 'text/plain', body: `${body}\n` };
}
