/**
 * The admin port: `/livez` (the event loop runs, and nothing is broken that only a restart repairs, unlike an
 * unavailable dependency), `/readyz` (started, not draining, and every check passes) and `/metrics`. It asks for no
 * credentials, so why a check fails (hosts, users) is only in the log.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { singleFlight, withTimeout } from '../async.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export type Check = () => Promise<unknown>;
/** Why the process must be restarted; undefined otherwise. */
type LivenessCheck = () => Promise<string | undefined>;
export type Health = Awaited<ReturnType<typeof startHealth>>;

/** How often a reason that changes from probe to probe is logged. */
const LOG_EVERY_MS = 30_000;

type Phase = 'booting' | 'serving' | 'draining';

type Response = { readonly status: number; readonly type: string; readonly body: string };

/**
 * Starts the admin server.
 * @param port 0 picks a free one
 * @param checkTimeoutMs how long one readiness check may take
 */
export async function startHealth(port: number, metrics: Metrics, log: Logger, checkTimeoutMs = 2_000) {
  const checks = new Map<string, Check>();
  const livenessChecks: LivenessCheck[] = [];
  const details = new Map<string, () => string>();
  let phase: Phase = 'booting';
  const logChange = changeLogger(log);
  const currentReadiness = async () => {
    const [phaseBefore, reasons] = [phase, await reasonsOf(checks, checkTimeoutMs)];
    // While it starts, whoever waits for a dependency logs it.
    if (phaseBefore === 'serving') for (const [name, reason] of reasons) logChange(name, reason);
    const ready = phase === 'serving' && reasons.every(([, reason]) => reason === undefined);
    const outcomes = Object.fromEntries(reasons.map(([name, reason]) => [name, outcomeOf(reason)]));
    const described = Object.fromEntries([...details].map(([name, describe]) => [name, describe()]));
    return { ready, phase, checks: outcomes, ...(details.size > 0 && { details: described }) };
  };
  exportReadiness(metrics, currentReadiness);
  const respond = async (path: string): Promise<Response> => {
    if (path === '/livez') return await liveness(livenessChecks);
    if (path === '/metrics')
      return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
    if (path !== '/readyz') return plainText(404, 'the admin port serves /livez, /readyz and /metrics');
    const state = await currentReadiness();
    return { status: state.ready ? 200 : 503, type: 'application/json', body: `${JSON.stringify(state)}\n` };
  };
  const server = createServer((request, response) => {
    respond((request.url ?? '/').split('?')[0] ?? '/')
      .catch((error: unknown) => {
        log.error({ err: error }, 'the admin port could not answer');
        return plainText(500, 'the log has the reason');
      })
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
    /** Adds what `/readyz` tells of a part that the process works without; no secrets, hosts or users. */
    addDetail: (name: string, describe: () => string): void => void details.set(name, describe),
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
function exportReadiness(metrics: Metrics, check: () => Promise<Readiness>): void {
  const state = singleFlight(check);
  metrics.gauge('vds_ready', '1 while the process may receive traffic', [], async (gauge) =>
    gauge.set((await state()).ready ? 1 : 0),
  );
  metrics.gauge('vds_check_passes', '1 while a readiness check passes', ['check'], async (gauge) => {
    for (const [name, outcome] of Object.entries((await state()).checks))
      gauge.set({ check: name }, outcome === 'ok' ? 1 : 0);
  });
}

type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, 'ok' | 'failing'>> };

/** Why each check fails; undefined for one that passes. */
function reasonsOf(checks: ReadonlyMap<string, Check>, timeoutMs: number) {
  return Promise.all(
    [...checks].map(async ([name, check]): Promise<readonly [string, string | undefined]> => {
      try {
        await withTimeout(check(), timeoutMs);
        return [name, undefined];
      } catch (error) {
        return [name, messageOf(error)];
      }
    }),
  );
}

function outcomeOf(reason: string | undefined): 'ok' | 'failing' {
  return reason === undefined ? 'ok' : 'failing';
}

/** Logs why a check fails when that changes, at most every few seconds for one check: probes ask all the time. */
function changeLogger(log: Logger) {
  const last = new Map<string, { readonly reason: string | undefined; readonly at: number }>();
  return (check: string, reason: string | undefined): void => {
    const before = last.get(check);
    if (before?.reason === reason) return;
    const changesAgain = before?.reason !== undefined && reason !== undefined;
    if (changesAgain && performance.now() - before.at < LOG_EVERY_MS) return;
    last.set(check, { reason, at: performance.now() });
    if (reason === undefined) log.info({ check }, 'readiness check passes again');
    else log.warn({ check, reason }, 'readiness check fails');
  };
}

async function liveness(checks: readonly LivenessCheck[]): Promise<Response> {
  const reasons = (await Promise.all(checks.map((check) => check()))).filter((reason) => reason !== undefined);
  return reasons.length === 0 ? plainText(200, 'ok') : plainText(503, reasons.join('\n'));
}

function plainText(status: number, body: string): Response {
  return { status, type: 'text/plain', body: `${body}\n` };
}
