/** The event table of proto/ matches the services: each event has one publisher and exactly its declared consumers. */
import { events, stageEvents, type Delivery } from '@vds/proto/events';
import { filesThat, servicesOf, type Repository, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

export type EventRow = {
  readonly subject: string;
  readonly owner: string;
  readonly consumers: Readonly<Record<string, Delivery>>;
};
export type EventTable = Readonly<Record<string, EventRow>>;
type Mention = { readonly name: string; readonly path: string; readonly line: number };

const subjectForm = /^([a-z]+)\.[a-z_]+\.[a-z_]+\.v[1-9]\d*$/;

const inbound = /\/src\/inbound\//;

const verbs = { durable: 'bus.subscribe', watch: 'bus.watch', batches: 'bus.batches' } as const;

/** The events of each stage. */
export type StageTable = Readonly<Record<string, Readonly<Record<string, { readonly subject: string }>>>>;

export const declaredEvents = eventsRule(events, stageEvents);

/** The rule for a given table; tests pass their own. */
export function eventsRule(table: EventTable, stages: StageTable = {}): Rule {
  return {
    name: 'every event is published by its owner, and consumed by exactly its declared consumers',
    breaches: (repository) => {
      const services = servicesOf(repository);
      return [
        ...tableBreaches(table, services),
        ...services.flatMap((service) => [
          ...mentionBreaches(table, service, mentionsIn(repository, service, table, stages)),
          ...verbBreaches(table, service, repository),
        ]),
      ];
    },
  };
}

function tableBreaches(table: EventTable, services: readonly string[]): string[] {
  const subjects = Object.values(table).map(({ subject }) => subject);
  return Object.entries(table).flatMap(([name, { subject, owner, consumers }]) => [
    ...(subjectForm.exec(subject)?.[1] === owner
      ? []
      : [`events.${name}: ${subject} does not begin with its owner ${owner}`]),
    ...(subjects.indexOf(subject) === subjects.lastIndexOf(subject)
      ? []
      : [`events.${name}: ${subject} is listed twice`]),
    ...[owner, ...Object.keys(consumers)]
      .filter((service) => !services.includes(service))
      .map((service) => `events.${name}: there is no service ${service}`),
    ...(Object.keys(consumers).length > 0 ? [] : [`events.${name} has no consumer`]),
  ]);
}

function mentionBreaches(table: EventTable, service: string, mentions: readonly Mention[]): string[] {
  const published = Object.entries(table).filter(([, { owner }]) => owner === service);
  const consumed = Object.entries(table).filter(([, { consumers }]) => service in consumers);
  const has = (name: string, where: (path: string) => boolean): boolean =>
    mentions.some((mention) => mention.name === name && where(mention.path));
  return [
    ...published
      .filter(([name]) => !has(name, () => true))
      .map(([name]) => `services/${service} owns events.${name} and never publishes it`),
    ...consumed
      .filter(([name]) => !has(name, (path) => inbound.test(path)))
      .map(
        ([name]) =>
          `services/${service} is a declared consumer of events.${name} and does not consume it in src/inbound/`,
      ),
    ...mentions.flatMap(({ name, path, line }) => {
      const row = table[name];
      if (!row) return [`${path}:${line} names events.${name}, which is not in the table`];
      if (row.owner === service || service in row.consumers) return [];
      return [`${path}:${line} names events.${name}, but ${service} is neither its owner nor a declared consumer`];
    }),
  ];
}

/**
 * Every `events.<name>` in the sources of one service, and those that a stage definition or the stage runtime implies.
 */
function mentionsIn(repository: Repository, service: string, table: EventTable, stages: StageTable): Mention[] {
  return filesThat(repository, new RegExp(`^services/${service}/src/.*\\.ts$`)).flatMap(([path, text]) =>
    sourceOf(path, text).members.flatMap(({ text: member, line }) =>
      namedBy(member, table, stages).map((name) => ({ name, path, line })),
    ),
  );
}

function namedBy(member: string, table: EventTable, stages: StageTable): string[] {
  const [object, name = ''] = member.split('.');
  if (object === 'events') return [name];
  if (object !== 'stageEvents') return [];
  const subjects = Object.values(stages[name] ?? {}).map(({ subject }) => subject);
  // The stage runtime consumes these two for every stage.
  const consumed = ['purgeRequested', 'videoCancelled'].filter((other) => other in table);
  return [...Object.keys(table).filter((key) => subjects.includes(table[key]?.subject ?? '')), ...consumed];
}

/** A service uses exactly the functions for its declared consumer kinds: once per service, or once per replica. */
function verbBreaches(table: EventTable, service: string, repository: Repository): string[] {
  const declared = new Set(Object.values(table).flatMap(({ consumers }) => consumers[service] ?? []));
  if (declared.size === 0) return []; // Such a service cannot name an event either.
  const used = new Set(
    filesThat(repository, new RegExp(`^services/${service}/src/.*\\.ts$`)).flatMap(([path, text]) => {
      const { members, calls } = sourceOf(path, text);
      // The stage runtime does both.
      const byRuntime = calls.some(({ text: name }) => name === 'startStages') ? [verbs.durable, verbs.watch] : [];
      return [...byRuntime, ...members.map(({ text: member }) => member)];
    }),
  );
  return (['durable', 'watch', 'batches'] as const)
    .filter((kind) => declared.has(kind) !== used.has(verbs[kind]))
    .map((kind) =>
      declared.has(kind)
        ? `services/${service} is a declared ${kind} consumer and never calls ${verbs[kind]}`
        : `services/${service} calls ${verbs[kind]} and is no declared ${kind} consumer of anything`,
    );
}
