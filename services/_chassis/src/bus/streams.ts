/** Streams are made when they are not there: at boot, and again after JetStream has lost its store. */
import {
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { streamOf } from './names.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { pause } from '../process/pause.ts';

const week = 7 * 86_400_000;

type Size = { readonly replicas: number; readonly maxBytes: number };

export function streamKeeper(jsm: JetStreamManager, log: Logger, { replicas, maxBytes }: Size) {
  /** @returns true when the stream had to be made */
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
    log.info({ stream: name }, 'made a stream');
    return true;
  };

  return {
    ensure,
    /** Ensures `<service>.>` now, then looks every `everyMs`; `ended` resolves after `signal`. */
    keep: async (service: string, onMade: () => Promise<void> | void, everyMs: number, signal: AbortSignal) => {
      const look = async (): Promise<void> => {
        if (await ensure(streamOf(service), `${service}.>`, week)) await onMade();
      };
      const watchOver = async (): Promise<void> => {
        while (!signal.aborted) {
          await pause(everyMs, signal);
          if (signal.aborted) return;
          await look().catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'cannot see the own stream'));
        }
      };
      await look();
      return { ended: watchOver() };
    },
  };
}

/** Whether JetStream answered that there is no such stream or consumer. */
export function isMissing(error: unknown, code: JetStreamApiCodes): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
