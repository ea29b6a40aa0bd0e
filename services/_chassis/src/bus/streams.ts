/**
 * Keeps the streams of a service in existence, with their settings: at startup, and again after JetStream has lost its
 * store. The relay of the outbox publishes lost messages again.
 */
import {
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { messageOf } from '../errors.ts';
import { pause } from '../async.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Between these, an older version that is still running may have applied its own settings. */
const APPLY_EVERY_MS = 3_600_000;

export type StreamSettings = {
  readonly name: string;
  /** For the metric. */
  readonly kind: 'events' | 'dead_letters';
  readonly subjects: readonly string[];
  readonly maxAgeMs: number;
  /** That of the configuration unless given. */
  readonly maxBytes?: number;
  /** Unlimited unless given. */
  readonly maxMessagesPerSubject?: number;
};
export type StreamBounds = Partial<Pick<StreamSettings, 'maxAgeMs' | 'maxBytes'>>;

/** Sequences above the last one were never stored, or are lost. */
export type StreamEnd = {
  /** When the stream was created, which identifies it: a recreated one counts from 1 again. */
  readonly created: string;
  readonly lastSequence: number;
};

type Deps = {
  readonly jsm: JetStreamManager;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly replicas: number;
  readonly maxBytes: number;
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** False while disconnected. */
  readonly isUp: () => boolean;
};

export function streamManager(deps: Deps) {
  const refused = new Map<string, boolean>();
  const help = '1 while NATS refuses to create a stream of the service, or to change its settings';
  deps.metrics.gauge('vds_bus_stream_refused', help, ['stream'], (gauge) => {
    for (const [stream, isRefused] of refused) gauge.set({ stream }, isRefused ? 1 : 0);
  });
  return {
    /**
     * Ensures the stream now, then checks it periodically. A refusal is logged and does not stop the process: an
     * existing stream is used as it is, a missing one is tried again.
     * @returns `ended` resolves after the process began to stop
     */
    keep: async (settings: StreamSettings) => {
      const check = checker(deps, settings, (isRefused) => void refused.set(settings.kind, isRefused));
      await check();
      return { ended: checkPeriodically(deps, check) };
    },
  };
}

function checker(deps: Deps, settings: StreamSettings, report: (isRefused: boolean) => void): () => Promise<void> {
  const { jsm, log } = deps;
  const { name: stream } = settings;
  let applyAt = 0;
  let lastReason = '';
  const refuse = (error: unknown): void => {
    if (!(error instanceof JetStreamApiError)) throw error;
    report(true);
    log.error({ stream, reason: messageOf(error) }, 'stream settings refused by NATS');
  };
  const create = async (): Promise<StreamInfo> => {
    const info = await jsm.streams.add({ ...configOf(deps, settings), name: stream });
    applyAt = 0;
    log.info({ stream }, 'stream created');
    return info;
  };
  return async () => {
    try {
      const info = (await infoOf(jsm, stream)) ?? (await create());
      lastReason = '';
      if (performance.now() < applyAt) return;
      report(false);
      await applySettings(deps, settings, info).catch(refuse);
      applyAt = performance.now() + APPLY_EVERY_MS;
    } catch (error) {
      const reason = messageOf(error);
      if (reason === lastReason) return;
      lastReason = reason;
      if (error instanceof JetStreamApiError) {
        refuse(error);
        applyAt = 0; // The next successful check clears the report.
      } else log.warn({ stream, reason }, 'stream check failed');
    }
  };
}

export async function streamEnd(jsm: JetStreamManager, stream: string): Promise<StreamEnd> {
  const { created, state } = await jsm.streams.info(stream);
  return { created, lastSequence: state.last_seq };
}

async function infoOf(jsm: JetStreamManager, stream: string): Promise<StreamInfo | undefined> {
  try {
    return await jsm.streams.info(stream);
  } catch (error) {
    if (doesNotExist(error, JetStreamApiCodes.StreamNotFound)) return undefined;
    throw error;
  }
}

function configOf({ replicas, maxBytes }: Deps, settings: StreamSettings) {
  return {
    subjects: [...settings.subjects],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: replicas,
    max_age: nanos(settings.maxAgeMs),
    max_bytes: settings.maxBytes ?? maxBytes,
    max_msgs_per_subject: settings.maxMessagesPerSubject ?? -1,
    duplicate_window: nanos(120_000),
  };
}

async function applySettings(deps: Deps, settings: StreamSettings, { config }: StreamInfo): Promise<void> {
  const changes = changedSettings(config, configOf(deps, settings));
  if (Object.keys(changes).length === 0) return;
  await deps.jsm.streams.update(settings.name, changes);
  deps.log.info({ stream: settings.name, changes }, 'stream settings changed');
}

/** The wanted settings that differ from the current ones. */
export function changedSettings(
  is: Readonly<Partial<StreamConfig>>,
  wanted: Partial<StreamConfig>,
): Partial<StreamConfig> {
  const entries = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify((is as Record<string, unknown>)[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(entries);
}

async function checkPeriodically({ everyMs, signal, isUp }: Deps, check: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, signal);
    if (!signal.aborted && isUp()) await check(); // a request sent now would only time out
  }
}

/** Whether JetStream replied that the stream, consumer or message does not exist. */
export function doesNotExist(error: unknown, code: JetStreamApiCodes): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
