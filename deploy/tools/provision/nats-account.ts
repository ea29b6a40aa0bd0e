/**
 * NATS users: each service may say what it owns, bury what it gave up on, keep its own streams, and hear through the
 * durables that the event table gives it. Everything else is refused by the server.
 */
import { deadStreamOf, events, streamOf, type EventType, type Hearing } from '@vds/proto/events';
import { purposes, userName, type Household } from '../installation.ts';
import { serviceNames } from '../services.ts';

type EventTable = Readonly<Record<string, Pick<EventType<never, unknown>, 'owner' | 'hearers'>>>;
export type Permissions = {
  readonly publish: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
};

/** Services that have a user. */
export const speakers = serviceNames.filter(usesEvents);

/** Whether the service says or hears anything. */
export function usesEvents(service: string): boolean {
  return Object.values(events as EventTable).some(({ owner, hearers }) => owner === service || service in hearers);
}

/** The inside of the house's account block in nats.conf (a superset of JSON). */
export function accountBlock(household: Household): string {
  const users = speakers.map((service) => ({
    user: userName(household.name, service),
    password: household.secret(purposes.nats(service)),
    permissions: permissionsOf(service),
  }));
  return `    jetstream: enabled\n    users: ${JSON.stringify(users, null, 2).replaceAll('\n', '\n    ')}`;
}

/** The subjects that one service may publish to and subscribe to. */
export function permissionsOf(service: string, table: EventTable = events): Permissions {
  const streams = [streamOf(service), deadStreamOf(service)];
  const watched = ownersHeard(table, service, 'watch');
  return {
    publish: {
      allow: [
        `${service}.>`,
        `dead.${service}.>`,
        ...streams.flatMap((stream) => [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`]),
        ...ownersHeard(table, service, 'durable').flatMap((owner) => durableSubjects(streamOf(owner), service)),
        ...watched.flatMap((owner) => watchSubjects(streamOf(owner))),
      ],
      deny: watched.flatMap((owner) =>
        durablesOf(table, owner)
          .filter((durable) => durable !== service)
          .flatMap((durable) => foreignDurable(streamOf(owner), durable)),
      ),
    },
    subscribe: { allow: [`_INBOX_${service}.>`] },
  };
}

/** Owners whose events this service hears, in one of the two ways. */
function ownersHeard(table: EventTable, service: string, how: Hearing): string[] {
  return [
    ...new Set(
      Object.values(table)
        .filter(({ hearers }) => hearers[service] === how)
        .map(({ owner }) => owner),
    ),
  ];
}

/** What `bus.subscribe` calls: looking for its durable, making or changing it, pulling, and acknowledging. */
function durableSubjects(stream: string, durable: string): string[] {
  return [
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

/** What `bus.watch` calls: an ordered consumer under a name that the client invents. */
function watchSubjects(stream: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.INFO.${stream}.*`,
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.*`,
    `$JS.API.CONSUMER.CREATE.${stream}.*.>`,
    `$JS.API.CONSUMER.DELETE.${stream}.*`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
  ];
}

function durablesOf(table: EventTable, owner: string): string[] {
  return [
    ...new Set(
      Object.values(table)
        .filter((row) => row.owner === owner)
        .flatMap(({ hearers }) => Object.keys(hearers).filter((hearer) => hearers[hearer] === 'durable')),
    ),
  ];
}

/** So that the invented name is never another service's durable. */
function foreignDurable(stream: string, durable: string): string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  ];
}
