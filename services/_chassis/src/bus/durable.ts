/**
 * The durable consumer of a service on an owner's stream, shared by all its replicas, whatever their version. Its filter
 * only grows during a rollout: each replica adds its subjects, and a subject leaves once no replica has wanted it for a
 * while. When each subject was last wanted is metadata of the durable.
 */
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  type Consumer,
  type ConsumerInfo,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { MAX_ACK_PENDING } from './redelivery.ts';
import { isMissing } from './streams.ts';
import type { Logger } from '../telemetry/log.ts';

type Deps = {
  readonly service: string;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly log: Logger;
};

export type DurableSettings = {
  readonly stream: string;
  /** The subjects that this version consumes. */
  readonly subjects: readonly string[];
  readonly ackWaitMs: number;
  /** How long a subject stays in the filter after the last replica that wanted it. */
  readonly subjectAgeMs: number;
};

/** Seconds since the epoch at which a replica last wanted a subject; undefined: unknown. */
export type WantedSubjects = Readonly<Record<string, number | undefined>>;

const PREFIX = 'vds-wanted-';

/**
 * Creates the durable, or adds this version's subjects to it.
 * @returns the consumer, and its filter: the subjects that some version wants
 */
export async function ensureDurable(deps: Deps, settings: DurableSettings) {
  const { js, jsm, service } = deps;
  const { stream } = settings;
  const found = await findDurable(deps, stream);
  const config = {
    ...configFor(settings, found),
    ack_wait: nanos(settings.ackWaitMs),
    max_ack_pending: MAX_ACK_PENDING,
  };
  if (!found) {
    await jsm.consumers.add(stream, {
      ...config,
      durable_name: service,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
  } else if (differs(found.config, config)) await jsm.consumers.update(stream, service, config);
  const consumer: Consumer = await js.consumers.get(stream, service);
  return { consumer, subjects: new Set(config.filter_subjects) };
}

/**
 * The durable's state; undefined if there is none. One that is ahead of its stream, which was restored from an older
 * copy, would skip what is published next: it is deleted.
 */
async function findDurable({ jsm, service, log }: Deps, stream: string): Promise<ConsumerInfo | undefined> {
  try {
    const info = await jsm.consumers.info(stream, service);
    // Read afterwards, so that a message delivered meanwhile is not ahead.
    const { last_seq: last } = (await jsm.streams.info(stream)).state;
    if (info.delivered.stream_seq <= last) return info;
    log.warn({ stream, last, delivered: info.delivered.stream_seq }, 'the durable is ahead of its stream: recreated');
    await jsm.consumers.delete(stream, service);
    return undefined;
  } catch (error) {
    if (isMissing(error, JetStreamApiCodes.ConsumerNotFound)) return undefined;
    throw error;
  }
}

function configFor({ subjects, subjectAgeMs }: DurableSettings, found: ConsumerInfo | undefined) {
  const wanted = mergeWanted(found ? wantedOf(found) : {}, subjects, Date.now() / 1_000, subjectAgeMs / 1_000);
  const metadata = Object.fromEntries(Object.entries(wanted).map(([subject, at]) => [PREFIX + subject, String(at)]));
  return { filter_subjects: Object.keys(wanted).toSorted(), metadata };
}

function wantedOf({ config }: ConsumerInfo): WantedSubjects {
  const subjects = config.filter_subjects ?? (config.filter_subject === undefined ? [] : [config.filter_subject]);
  return Object.fromEntries(
    subjects.map((subject) => [subject, Number(config.metadata?.[PREFIX + subject]) || undefined]),
  );
}

/**
 * Merges the subjects of this version into those of the durable.
 * @param now seconds since the epoch
 * @param age seconds for which a subject stays after it was last wanted, measured at the newest time in `before`: replicas
 *   that were all away wanted their subjects until then
 * @returns every subject of the new filter; a time is renewed only when it is a quarter of the age old
 */
export function mergeWanted(
  before: WantedSubjects,
  own: readonly string[],
  now: number,
  age: number,
): Readonly<Record<string, number>> {
  const newest = Math.max(0, ...Object.values(before).map((at) => at ?? 0));
  const kept = Object.entries(before)
    .map(([subject, at]) => [subject, at ?? Math.floor(now)] as const)
    .filter(([, at]) => at > newest - age);
  const merged = Object.fromEntries(kept);
  for (const subject of own) {
    const at = merged[subject];
    if (at === undefined || at < now - age / 4) merged[subject] = Math.floor(now);
  }
  return merged;
}

/** Whether a field of `wanted` differs; the server adds fields and metadata of its own. */
function differs(is: object, wanted: object): boolean {
  return Object.entries(wanted).some(([name, value]) => {
    const current = (is as Record<string, unknown>)[name];
    if (Array.isArray(value))
      return JSON.stringify(((current as string[] | undefined) ?? []).toSorted()) !== JSON.stringify(value);
    if (typeof value === 'object') return differs((current as object) ?? {}, value as object);
    return current !== value;
  });
}
