/**
 * NATS users: each service may publish its own events and dead letters, create its own streams, and consume through the
 * durables that the event table gives it. The server denies everything else.
 */
import { busNames } from '@vds/chassis/bus/names';
import { events, type EventType, type Delivery } from '@vds/proto/events';
import { purposes, userName, type Installation } from '../installation.ts';
import { serviceNames, type ServiceName } from '../services.ts';

type EventTable = Readonly<Record<string, Pick<EventType<never, unknown>, 'owner' | 'consumers' | 'subject'>>>;
export type Permissions = {
  readonly publish: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
};

/** Services with a NATS user. */
export const servicesWithNatsUser = serviceNames.filter(usesEvents);

/** Whether the service publishes or consumes any event. */
export function usesEvents(service: string): boolean {
  return Object.values(events as EventTable).some(({ owner, consumers }) => owner === service || service in consumers);
}

export type NatsLogin = { readonly service: ServiceName; readonly user: string; readonly password: string };

type AccountOptions = {
  /** NATS_PREFIX of the services. */
  readonly subjectPrefix?: string;
  /** By default one for each service, named by the installation. */
  readonly logins?: readonly NatsLogin[];
};

/** The content of the account block in nats.conf (a superset of JSON). */
export function accountBlock(installation: Installation, options: AccountOptions = {}): string {
  const users = accountUsers(installation, options);
  return `    jetstream: enabled\n    users: ${JSON.stringify(users, null, 2).replaceAll('\n', '\n    ')}`;
}

/** The users of one installation: several may share an account, each with its own prefix. */
export function accountUsers(
  installation: Installation,
  { subjectPrefix = '', logins = loginsOf(installation) }: AccountOptions = {},
): readonly object[] {
  return logins.map(({ service, user, password }) => ({
    ...{ user, password },
    permissions: permissionsOf(service, { prefix: subjectPrefix }),
  }));
}

function loginsOf(installation: Installation): NatsLogin[] {
  return servicesWithNatsUser.map((service) => ({
    service,
    user: userName(installation.name, service),
    password: installation.secret(purposes.nats(service)),
  }));
}

/**
 * The subjects that one service may publish to and subscribe to.
 * @param prefix NATS_PREFIX of the service
 */
export function permissionsOf(
  service: string,
  { prefix = '', table = events }: { readonly prefix?: string; readonly table?: EventTable } = {},
): Permissions {
  const { subject, stream, deadStream, inbox } = busNames(prefix);
  const dead = deadStream(service);
  const watched = consumedOwners(table, service, 'watch');
  return {
    publish: {
      allow: [
        subject(`${service}.>`),
        subject(`dead.${service}.>`),
        ...[stream(service), dead].flatMap(streamSubjects),
        `$JS.API.STREAM.MSG.GET.${dead}`,
        `$JS.API.STREAM.MSG.DELETE.${dead}`,
        ...durableOwners(table, service).flatMap((owner) => durableSubjects(stream(owner), service)),
        ...watched.flatMap((owner) =>
          watchSubjects(stream(owner), watchedSubjects(table, service, owner).map(subject)),
        ),
      ],
      deny: watched.flatMap((owner) =>
        durablesOf(table, owner)
          .filter((durable) => durable !== service)
          .flatMap((durable) => foreignDurable(stream(owner), durable)),
      ),
    },
    subscribe: { allow: [`${inbox(service)}.>`] },
  };
}

/** The owners whose events this service consumes through a durable. */
function durableOwners(table: EventTable, service: string): string[] {
  return [...new Set((['durable', 'batches'] as const).flatMap((how) => consumedOwners(table, service, how)))];
}

/** The owners whose events this service consumes in the given way. */
function consumedOwners(table: EventTable, service: string, how: Delivery): string[] {
  return [
    ...new Set(
      Object.values(table)
        .filter(({ consumers }) => consumers[service] === how)
        .map(({ owner }) => owner),
    ),
  ];
}

/** The API subjects with which a service keeps its own stream, and that of its dead letters. */
function streamSubjects(stream: string): string[] {
  return ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`);
}

/** The API subjects of `bus.subscribe`: look up, create, update or delete its durable, pull, acknowledge. */
function durableSubjects(stream: string, durable: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

/** The subjects of an owner's events that this service watches. */
function watchedSubjects(table: EventTable, service: string, owner: string): string[] {
  return Object.values(table)
    .filter((row) => row.owner === owner && row.consumers[service] === 'watch')
    .map(({ subject }) => subject);
}

/**
 * The API subjects of `bus.watch`: an ordered consumer of one subject, which ends that of its request, with a name that the
 * client generates.
 */
function watchSubjects(stream: string, watched: readonly string[]): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.INFO.${stream}.*`,
    ...watched.map((subject) => `$JS.API.CONSUMER.CREATE.${stream}.*.${subject}`),
    `$JS.API.CONSUMER.DELETE.${stream}.*`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
  ];
}

function durablesOf(table: EventTable, owner: string): string[] {
  return [
    ...new Set(
      Object.values(table)
        .filter((row) => row.owner === owner)
        .flatMap(({ consumers }) => Object.keys(consumers).filter((consumer) => consumers[consumer] !== 'watch')),
    ),
  ];
}

/** Denied, so that a generated name is never another service's durable. */
function foreignDurable(stream: string, durable: string): string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  ];
}
