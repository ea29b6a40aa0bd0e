/**
 * The list of stages in tests: the ones they name, and any added since. A test's expectations of all stages, or all
 * owners of a video's data, are derived from the list's rows here.
 */
import { events, type EventType } from '@vds/proto/events';
import type { Stage } from '../../src/domain/stages.ts';
import { stages } from '../../src/domain/stages.ts';

export const namedStages = ['fetch', 'inspect', 'encode', 'captions', 'metadata'] as const;
/** The rows that the tests name, in the order of the list. */
export const named: readonly Stage[] = stages.filter(isNamed);
export const others: readonly Stage[] = stages.filter((stage) => !isNamed(stage));

/** Names of the stages that do not block. */
export const attached: readonly string[] = stages.filter(({ blocksReady }) => !blocksReady).map(({ name }) => name);
/** The stage that makes a video ready: metadata ends when all others have, but for those that wait for it. */
export const lastStage = others.findLast(awaitsMetadata)?.name ?? 'metadata';

/** Every service that runs a stage; those of them without ingest; every service that a deletion purges. */
export const stageOwners: readonly string[] = [...new Set(stages.map(({ owner }) => owner))];
export const outputOwners: readonly string[] = stageOwners.filter((owner) => owner !== 'ingest');
export const purgeOwners: readonly string[] = [...stageOwners, 'indexer'];

/** Progress of a video whose given stages have ended while no other has started. */
export function progressAfter(...names: readonly string[]): number {
  const sum = (list: readonly Stage[]): number => list.reduce((total, { weight }) => total + weight, 0);
  return Math.floor((100 * sum(stages.filter(({ name }) => names.includes(name)))) / sum(stages));
}

/** A row of the event table, by its subject. */
export function eventOf<In>(subject: string): EventType<In, unknown> {
  const event = Object.values(events).find((row) => row.subject === subject);
  if (!event) throw new Error(`the event table has no ${subject}`);
  return event as unknown as EventType<In, unknown>;
}

function isNamed({ name }: Stage): boolean {
  return namedStages.some((one) => one === name);
}

function awaitsMetadata({ needs, awaitedMs }: Stage): boolean {
  return awaitedMs !== undefined && needs.some(({ stage }) => stage === 'metadata');
}
