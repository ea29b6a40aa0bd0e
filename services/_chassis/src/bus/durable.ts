/**
 * The durable consumer of a service on an owner's stream, shared by all its replicas, whatever their version. Its filter
 * only grows during a rollout: each replica adds its subjects, and a subject leaves once no replica has wanted it for a
 * while. When each subject was last wanted is metadata of the durable.
 *
 * The server has no compare-and-set: a replica may overwrite the filter that another one has just widened. A durable that
 * may have passed over messages is made anew from where it did; handlers are idempotent.
 */
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  type Consumer,
  type ConsumerConfig,
  type ConsumerInfo,
  type JetStreamClient,
  type JetStreamManager,
  type StreamInfo,
  type StreamState,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { isMissing, LOSS } from './streams.ts';
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
  /** How many messages may be unacknowledged in all replicas; the server delivers nothing new beyond it. */
  readonly maxAckPending: number;
  /** How long a subject stays in the filter after the last replica that wanted it. */
  readonly subjectAgeMs: number;
  /** Runs when messages of the stream may have been lost: its owner says so, or there is no durable (any more). */
  readonly onLoss: () => Promise<void>;
};

/** Seconds since the epoch at which a replica last wanted a subject; undefined: unknown. */
export type WantedSubjects = Readonly<Record<string, number | undefined>>;

export type Durable = {
  readonly consumer: Consumer;
  /** The subjects that some version wants: its filter. */
  readonly wanted: WantedSubjects;
  /** When it was made. */
  readonly created: string;
  /** Sequence of the last message that was delivered when it was looked at. */
  readonly delivered: number;
  /** How many messages were unacknowledged then. */
  readonly unacknowledged: number;
  /** Whether this look has made or changed it. */
  readonly changed: boolean;
};

/** What JetStream reports of a durable. */
type Found = {
  readonly created: string;
  readonly delivered: { readonly stream_seq: number };
  readonly config: Pick<ConsumerConfig, 'filter_subject' | 'filter_subjects' | 'metadata'>;
};

/** Messages after this sequence may have been passed over. */
type Gap = { readonly after: number; readonly reason: 'ahead of its stream' | 'filter overwritten' };

const PREFIX = 'vds-wanted-';

/**
 * Creates the durable, adds this version's subjects to it, or makes it anew where it may have passed over messages.
 * @param before as this process saw it last
 */
export async function ensureDurable(deps: Deps, settings: DurableSettings, before?: Durable): Promise<Durable> {
  const { js, jsm, service, log } = deps;
  const { stream } = settings;
  const found = await findDurable(deps, stream);
  // Read afterwards, so that a message delivered meanwhile is not ahead.
  const streamInfo = await jsm.streams.info(stream);
  const gap = found && gapOf(found, streamInfo, settings.subjects, before);
  const wanted = wantedNow(settings, streamInfo, found ? wantedOf(found) : before?.wanted);
  const config = configOf(settings, streamInfo, wanted);
  let info: ConsumerInfo;
  if (!found || hasLost(found, streamInfo)) await settings.onLoss();
  if (!found || gap) {
    if (gap) {
      log.warn({ stream, ...gap }, 'the durable may have passed over messages: it is made anew');
      await jsm.consumers.delete(stream, service);
    }
    const start = found && gap ? Math.min(found.ack_floor.stream_seq, gap.after) + 1 : 1;
    info = await jsm.consumers.add(stream, { ...config, ...fixedConfig(service), ...startingAt(start) });
  } else info = differs(found.config, config) ? await jsm.consumers.update(stream, service, config) : found;
  const consumer = await js.consumers.get(stream, service);
  return { consumer, wanted, ...stateOf(info), changed: info !== found };
}

function stateOf({ created, delivered, num_ack_pending: unacknowledged }: ConsumerInfo) {
  return { created, delivered: delivered.stream_seq, unacknowledged };
}

async function findDurable({ jsm, service }: Deps, stream: string): Promise<ConsumerInfo | undefined> {
  try {
    return await jsm.consumers.info(stream, service);
  } catch (error) {
    if (isMissing(error, JetStreamApiCodes.ConsumerNotFound)) return undefined;
    throw error;
  }
}

/** Whether the stream has lost messages since this service heard of its losses last. */
function hasLost(found: ConsumerInfo, { config, state }: StreamInfo): boolean {
  const loss = config.metadata?.[LOSS];
  const isKnown = loss === undefined || loss === found.config.metadata?.[LOSS];
  return !isKnown || found.delivered.stream_seq > state.last_seq;
}

/**
 * What the durable may have passed over; undefined: nothing.
 * @param own the subjects that this version consumes
 * @param before the durable as this process saw it last
 */
export function gapOf(
  found: Found,
  stream: { readonly state: Pick<StreamState, 'last_seq'> },
  own: readonly string[],
  before: Pick<Durable, 'wanted' | 'created' | 'delivered'> | undefined,
): Gap | undefined {
  if (found.delivered.stream_seq > stream.state.last_seq) return { after: 0, reason: 'ahead of its stream' };
  const filter = wantedOf(found);
  const isOverwritten = own.some((subject) => before && subject in before.wanted && !(subject in filter));
  if (!before || !isOverwritten) return undefined;
  return { after: before.created === found.created ? before.delivered : 0, reason: 'filter overwritten' };
}

/** By the server's clock, as those of the replicas may differ. */
function wantedNow({ subjects, subjectAgeMs }: DurableSettings, { ts }: StreamInfo, before: WantedSubjects = {}) {
  const now = ts === undefined ? Date.now() : Date.parse(ts);
  return mergeWanted(before, subjects, now / 1_000, subjectAgeMs / 1_000);
}

function configOf(
  { ackWaitMs, maxAckPending }: DurableSettings,
  stream: StreamInfo,
  wanted: Readonly<Record<string, number>>,
) {
  const loss = stream.config.metadata?.[LOSS];
  return {
    filter_subjects: Object.keys(wanted).toSorted(),
    metadata: {
      ...Object.fromEntries(Object.entries(wanted).map(([subject, at]) => [PREFIX + subject, String(at)])),
      ...(loss !== undefined && { [LOSS]: loss }),
    },
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: maxAckPending,
  };
}

function fixedConfig(service: string) {
  return { durable_name: service, ack_policy: AckPolicy.Explicit };
}

function startingAt(sequence: number) {
  return sequence === 1
    ? { deliver_policy: DeliverPolicy.All }
    : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: sequence };
}

function wantedOf({ config }: Pick<Found, 'config'>): WantedSubjects {
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
