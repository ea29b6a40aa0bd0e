/** Creates streams that do not exist: at startup, and again after JetStream has lost its store. */
import {
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { streamOf } from '@vds/proto/events';
import { messageOf } from '../errors.ts';
import { pause } from '../process/async.ts';
import type { Logger } from '../telemetry/log.ts';

const WEEK_MS = 7 * 86_400_000;

type Size = { readonly replicas: number; readonly maxBytes: number };

export function streamManager(jsm: JetStreamManager, log: Logger, { replicas, maxBytes }: Size) {
  /** @returns true when the stream had to be created */
  const ensure = async (name: string, subject: string, maxAgeMs: number): Promise<boolean> => {
    try {
      await jsm.streams.info(name);
      return false;
    } catch (error) {
      if (!isMissing(error, JetStreamApiCodes.StreamNotFound)) throw error;
    }
    await jsm.streams.add({
      name,
      subjects: [subject],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      num_replicas: replicas,
      max_age: nanos(maxAgeMs),
      max_bytes: maxBytes,
      duplicate_window: nanos(120_000),
    });
    log.info({ stream: name }, 'stream created');
    return true;
  };

  return {
    ensure,
    /** Ensures `<service>.>` now, then checks it every `everyMs`; `ended` resolves after `signal`. */
    keep: async (service: string, onCreated: () => Promise<void> | void, everyMs: number, signal: AbortSignal) => {
      const check = async (): Promise<void> => {
        if (await ensure(streamOf(service), `${service}.>`, WEEK_MS)) await onCreated();
      };
      const checkPeriodically = async (): Promise<void> => {
        while (!signal.aborted) {
          await pause(everyMs, signal);
          if (signal.aborted) return;
          await check().catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'cannot check own stream'));
        }
      };
      await check();
      return { ended: checkPeriodically() };
    },
  };
}

/** Whether JetStream replied that the stream or consumer does not exist. */
export function isMissing(error: unknown, code: JetStreamApiCodes): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
