/**
 * The life of a service process: read configuration, open parts, serve; on SIGTERM or SIGINT turn readiness off, close
 * the parts newest first, exit 0. Anything that nobody caught ends the process with 1, after the same closing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { tlsConfig, watchCertificates } from '../rpc/certificates.ts';
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
import { messageOf } from '../errors.ts';
import { startHealth, type Health } from './health.ts';
import { createLogger, type Logger } from '../telemetry/log.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { startTelemetry } from '../telemetry/telemetry.ts';

type Closable = { readonly close: () => Promise<unknown> };

/** Variables that every service has. */
export const processConfig = {
  logLevel: ['LOG_LEVEL', withDefault(choice('trace', 'debug', 'info', 'warn', 'error'), 'info')],
  adminPort: ['ADMIN_PORT', withDefault(integer(0, 65_535), 0)],
  otlpEndpoint: ['OTEL_EXPORTER_OTLP_ENDPOINT', optional(text)],
  drainDelayMs: ['DRAIN_DELAY', withDefault(duration, 0)],
  closeTimeoutMs: ['CLOSE_TIMEOUT', withDefault(duration, 30_000)],
  /** What the image was built as; for `vds_build_info`. */
  version: ['VDS_VERSION', withDefault(text, 'unknown')],
  ...tlsConfig,
} as const satisfies ConfigSpec;

export type Scope<S extends ConfigSpec> = {
  readonly config: ConfigOf<S>;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Keeps a part to be closed when the process ends, newest first; returns it. */
  readonly own: <T extends Closable>(name: string, part: T) => T;
  /** Aborts when the process begins to stop. */
  readonly signal: AbortSignal;
  /** How long one part may take to close, so that the others have their time too. */
  readonly closeWithinMs: number;
};

type Ending = {
  readonly log: Logger;
  readonly stopping: AbortController;
  readonly closeTimeoutMs: number;
  readonly closeAll: () => Promise<void>;
};

/**
 * Boots `service` and resolves once it serves.
 * @param spec the service's own variables (`src/config.ts`)
 * @param boot constructs everything; whatever it throws ends the process with 1
 */
export async function run<S extends ConfigSpec>(
  service: string,
  spec: S,
  boot: (scope: Scope<S>) => Promise<void>,
): Promise<void> {
  const config = readOrExit(service, spec);
  const log = createLogger(service, config.logLevel);
  const metrics = createMetrics(service, config.version);
  const stopping = new AbortController();
  const { signal } = stopping;
  const { own, closeAll } = trackClosables(log, signal);
  const stop = prepareEnd({ log, stopping, closeTimeoutMs: config.closeTimeoutMs, closeAll });
  const health = own('health', await startHealth(config.adminPort, metrics));
  let served = false;
  handleSignals(log, stop, () => {
    health.draining();
    // Nobody has to be waited for by a process that never was ready.
    stop(0, served ? config.drainDelayMs : 0);
  });
  try {
    own('telemetry', await startTelemetry(service, config.otlpEndpoint));
    if (config.tlsCertFile !== undefined) own('certificates', watchCertificates(config, { log, metrics }));
    const closeWithinMs = 0.8 * config.closeTimeoutMs;
    await boot({ config: config as ConfigOf<S>, log, health, metrics, own, signal, closeWithinMs });
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
    return readConfig({ ...spec, ...processConfig });
  } catch (error) {
    createLogger(service, 'info', process.stdout).fatal(messageOf(error));
    process.exit(1);
  }
}

/** The parts that were opened, closed newest first; what does not close cleanly is logged. */
function trackClosables(log: Logger, stopping: AbortSignal) {
  const parts: { name: string; part: Closable }[] = [];
  return {
    own: <T extends Closable>(name: string, part: T): T => {
      parts.push({ name, part });
      // Told to stop in the middle of the boot: this part is closed with the others, and no further one is opened.
      if (stopping.aborted) throw new Error('the process stops');
      return part;
    },
    closeAll: async (): Promise<void> => {
      for (let open = parts.pop(); open !== undefined; open = parts.pop()) {
        const { name, part } = open;
        await part
          .close()
          .catch((error: unknown) => log.error({ err: error, part: name }, 'a part did not close cleanly'));
      }
    },
  };
}

/** The one way out of the process. `stop` may be called again and again; the first call counts. */
function prepareEnd({ log, stopping, closeTimeoutMs, closeAll }: Ending) {
  const end = async (code: number, delayMs: number): Promise<void> => {
    stopping.abort();
    await sleep(delayMs);
    const forced = setTimeout(() => {
      log.error({ close_timeout_ms: closeTimeoutMs }, 'parts that did not close in time are cut off');
      log.flush(() => process.exit(code === 0 ? 1 : code));
    }, closeTimeoutMs);
    await closeAll();
    clearTimeout(forced);
    log.flush(() => process.exit(code));
  };
  let ending: Promise<void> | undefined;
  return (code: number, delayMs = 0): void => void (ending ??= end(code, delayMs));
}

/** SIGTERM and SIGINT end with 0, whatever nobody caught with 1. */
function handleSignals(log: Logger, stop: (code: number) => void, drain: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'stopping');
      drain();
    });
  }
  const onCrash = (error: unknown): void => {
    log.fatal({ err: error }, 'nobody caught this error');
    stop(1);
  };
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
}
