/**
 * The lifecycle of a service process: read the configuration, open components, serve. SIGTERM and SIGINT turn readiness
 * off, close the components in reverse order and exit with 0, even while a dependency is silent; an uncaught error does
 * the same and exits with 1.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { tlsConfig, watchCertificates } from '../config/tls-files.ts';
import {
  choice,
  duration,
  integer,
  optional,
  readConfig,
  text,
  withDefault,
  type ConfigOf,
  type ConfigSpec,
} from '../config/config.ts';
import { checkExceptions, timeScale } from '../config/times.ts';
import { messageOf } from '../errors.ts';
import { armFailpoints, failpointList } from '../failpoint/failpoint.ts';
import { startHealth, type Health } from './health.ts';
import { releaseMemory } from './release-memory.ts';
import { createLogger, type Logger } from '../telemetry/log.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { startTelemetry } from '../telemetry/telemetry.ts';

type Closable = { readonly close: () => Promise<unknown> };

/** How long closing components may wait for a dependency; then connections to it are cut. */
const CUT_CONNECTIONS_AFTER_MS = 4_000;

/** Configuration of every service. */
export const processConfig = {
  /** `trace`, `debug`, `info`, `warn` or `error`. */
  logLevel: ['LOG_LEVEL', withDefault(choice('trace', 'debug', 'info', 'warn', 'error'), 'info')],
  /** Port of health and metrics; 0: any free one. */
  adminPort: ['ADMIN_PORT', withDefault(integer(0, 65_535), 0)],
  /** Where traces go. */
  otlpEndpoint: ['OTEL_EXPORTER_OTLP_ENDPOINT', optional(text)],
  /** After SIGTERM, how long requests are still served while callers leave. */
  drainDelayMs: ['DRAIN_DELAY', withDefault(duration, 0)],
  /** How long closing may take altogether. */
  closeTimeoutMs: ['CLOSE_TIMEOUT', withDefault(duration, 30_000)],
  /** The version of the image, for `vds_build_info`. */
  version: ['VDS_VERSION', withDefault(text, 'unknown')],
  /** For tests only: where the process ends, hangs or fails. */
  failpoints: ['FAILPOINTS', failpointList],
  /** For tests only: a factor for all times of the product, above 0, and exceptions by name. */
  timeScale: ['TIME_SCALE', timeScale],
  /** `production` in every image. */
  nodeEnv: ['NODE_ENV', optional(text)],
  ...tlsConfig,
} as const satisfies ConfigSpec;

export type Scope<S extends ConfigSpec> = {
  readonly config: ConfigOf<S>;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Registers a component, closed in reverse order when the process stops; returns it. */
  readonly own: <T extends Closable>(name: string, component: T) => T;
  /** Aborts when the process starts to stop. */
  readonly signal: AbortSignal;
  /** Aborts when components have been closing for a while: everything must stop waiting for dependencies. */
  readonly forceClose: AbortSignal;
  /** How long one component may take to close, so that time is left for the others. */
  readonly closeWithinMs: number;
};

/**
 * Starts `service`; resolves once it serves.
 * @param spec the service's own configuration (`src/config.ts`)
 * @param boot constructs everything; if it throws, the process exits with 1
 */
export async function run<S extends ConfigSpec>(
  service: string,
  spec: S,
  boot: (scope: Scope<S>) => Promise<void>,
): Promise<void> {
  const config = readOrExit(service, spec);
  const log = createLogger(service, config.logLevel);
  if (config.timeScale.factor !== 1) log.warn({ factor: config.timeScale.factor }, 'times are scaled, as for tests');
  const metrics = createMetrics(service, config.version);
  const stopping = new AbortController();
  const cutting = new AbortController();
  const { signal } = stopping;
  const { own, closeAll } = trackClosables(log, signal);
  const stop = createStop({ log, stopping, cutting, closeTimeoutMs: config.closeTimeoutMs, closeAll });
  const health = own('health', await startHealth(config.adminPort, metrics, log));
  let served = false;
  handleSignals(log, stop, () => {
    health.draining();
    // No drain delay if the process was never ready.
    stop(0, served ? config.drainDelayMs : 0);
  });
  try {
    own('telemetry', await startTelemetry(service, config.otlpEndpoint));
    if (config.tlsCertFile !== undefined) own('certificates', watchCertificates(config, { log, metrics }));
    const closeWithinMs = 0.8 * config.closeTimeoutMs;
    const forceClose = cutting.signal;
    await boot({ config: config as ConfigOf<S>, log, health, metrics, own, signal, forceClose, closeWithinMs });
    releaseMemory(); // now: later it would make requests wait
    if (signal.aborted) return;
    served = true;
    health.serving();
    log.info({ admin_port: health.port }, 'ready');
  } catch (error) {
    if (signal.aborted) return;
    log.fatal({ err: error }, `could not start: ${messageOf(error)}`);
    stop(1);
  }
}

function readOrExit<S extends ConfigSpec>(service: string, spec: S) {
  try {
    const config = readConfig({ ...spec, ...processConfig });
    checkExceptions(spec, config.timeScale);
    armFailpoints(config.failpoints, config.nodeEnv === 'production');
    return config;
  } catch (error) {
    createLogger(service, 'info', process.stdout).fatal(messageOf(error));
    process.exit(1);
  }
}

/** The open components, closed in reverse order; an error is logged and does not keep the others open. */
function trackClosables(log: Logger, stopping: AbortSignal) {
  const components: { name: string; component: Closable }[] = [];
  return {
    own: <T extends Closable>(name: string, component: T): T => {
      components.push({ name, component });
      // Stopped during startup: this component is closed with the others, and no further one is opened.
      if (stopping.aborted) throw new Error('the process is stopping');
      return component;
    },
    closeAll: async (): Promise<void> => {
      for (let open = components.pop(); open !== undefined; open = components.pop()) {
        const { name, component } = open;
        await component
          .close()
          .catch((error: unknown) => log.error({ err: error, component: name }, 'component failed to close'));
      }
    },
  };
}

/** The only way to end the process; calls after the first have no effect. */
function createStop(deps: {
  readonly log: Logger;
  readonly stopping: AbortController;
  readonly cutting: AbortController;
  readonly closeTimeoutMs: number;
  readonly closeAll: () => Promise<void>;
}) {
  const { log, stopping, cutting, closeTimeoutMs, closeAll } = deps;
  const end = async (code: number, delayMs: number): Promise<void> => {
    stopping.abort();
    await sleep(delayMs);
    const cut = setTimeout(() => cutting.abort(new Error('the process stops')), CUT_CONNECTIONS_AFTER_MS);
    const forced = setTimeout(() => {
      log.error({ close_timeout_ms: closeTimeoutMs }, 'components did not close in time, exiting');
      log.flush(() => process.exit(code === 0 ? 1 : code));
    }, closeTimeoutMs);
    await closeAll();
    clearTimeout(cut);
    clearTimeout(forced);
    log.flush(() => process.exit(code));
  };
  let ending: Promise<void> | undefined;
  return (code: number, delayMs = 0): void => void (ending ??= end(code, delayMs));
}

/** SIGTERM and SIGINT exit with 0, an uncaught error with 1. */
function handleSignals(log: Logger, stop: (code: number) => void, drain: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'stopping');
      drain();
    });
  }
  const onCrash = (error: unknown): void => {
    log.fatal({ err: error }, 'uncaught exception');
    stop(1);
  };
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
}
