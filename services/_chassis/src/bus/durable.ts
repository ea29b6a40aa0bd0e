/**
 * The durable consumer of a service on an owner's stream, shared by all its replicas, whatever their version. Its
 * filter only grows: each replica adds the missing subjects. The server has no compare-and-set, so a replica may
 * overwrite what another has just added; that one adds it again at its next check.
 */
import {
  AckPolicy,
  JetStreamApiCodes,
  type Consumer,
  type ConsumerInfo,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { doesNotExist } from './streams.ts';
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
};

export type Durable = {
  readonly consumer: Consumer;
  /** The subjects of its filter, of every version so far. */
  readonly subjects: readonly string[];
  /** How many messages were unacknowledged at the last check. */
  readonly unacknowledged: number;
};

/**
 * Creates the durable, or adds this version's subjects and settings to it. One that is ahead of its stream, restored
 * from an older copy, would skip what is published next: it is recreated at the stream's start, since handlers are
 * idempotent.
 * @param before as last seen by this process: a lost durable gets the subjects of every version again
 */
export async function ensureDurable(deps: Deps, settings: DurableSettings, before?: Durable): Promise<Durable> {
  const { js, jsm, service, log } = deps;
  const { stream } = settings;
  let found = await findDurable(deps, stream);
  const known = found ? subjectsOf(found) : (before?.subjects ?? []);
  // Read afterwards, so that a message delivered in between is not ahead.
  const { state } = await jsm.streams.info(stream);
  if (found && found.delivered.stream_seq > state.last_seq) {
    log.warn({ stream, last: state.last_seq }, 'durable ahead of its stream: recreated');
    await jsm.consumers.delete(stream, service);
    found = undefined;
  }
  const config = configOf(settings, [...new Set([...known, ...settings.subjects])].toSorted());
  let info: ConsumerInfo;
  if (!found) info = await jsm.consumers.add(stream, { ...config, ...fixedConfig(service) });
  else info = differs(found, config) ? await jsm.consumers.update(stream, service, config) : found;
  const consumer = await js.consumers.get(stream, service);
  return { consumer, subjects: config.filter_subjects, unacknowledged: info.num_ack_pending };
}

async function findDurable({ jsm, service }: Deps, stream: string): Promise<ConsumerInfo | undefined> {
  try {
    return await jsm.consumers.info(stream, service);
  } catch (error) {
    if (doesNotExist(error, JetStreamApiCodes.ConsumerNotFound)) return undefined;
    throw error;
  }
}

function subjectsOf({ config }: ConsumerInfo): readonly string[] {
  return config.filter_subjects ?? (config.filter_subject === undefined ? [] : [config.filter_subject]);
}

function configOf({ ackWaitMs, maxAckPending }: DurableSettings, subjects: string[]) {
  return { filter_subjects: subjects, ack_wait: nanos(ackWaitMs), max_ack_pending: maxAckPending };
}

function fixedConfig(service: string) {
  return { durable_name: service, ack_policy: AckPolicy.Explicit };
}

function differs(found: ConsumerInfo, wanted: ReturnType<typeof configOf>): boolean {
  const { ack_wait, max_ack_pending } = found.config;
  const is = { filter_subjects: [...subjectsOf(found)].toSorted(), ack_wait, max_ack_pending };
  return JSON.stringify(is) !== JSON.stringify(wanted);
}
