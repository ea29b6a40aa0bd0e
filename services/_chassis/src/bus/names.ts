/**
 * Names on NATS. Installations that share an account have a prefix each, which only this module knows; everywhere else
 * names are those of the event table.
 */
import { deadStreamOf, events, streamOf, type EventType } from '@vds/proto/events';
import type { Reader } from '../config/config.ts';

export type BusNames = ReturnType<typeof busNames>;

const table: readonly EventType<never, unknown>[] = Object.values(events);
/** As prefixes they would collide with the names of an installation without one. */
const taken = new Set(['dead', ...table.flatMap(({ owner, consumers }) => [owner, ...Object.keys(consumers)])]);

/** The prefix of an installation; '' for none. */
export const natsPrefix: Reader<string> = (value = '', name) => {
  // The dead letters of `a` are where the events of `a-dead` would be.
  if (value === '' || (/^[a-z][a-z0-9-]{0,19}$/.test(value) && !taken.has(value) && !value.endsWith('-dead')))
    return value;
  throw new Error(
    `${name} must have up to 20 characters (a-z, 0-9, -), begin with a letter, not end with -dead, and be no name of a service, got '${value}'`,
  );
};

/** @param prefix of the installation, see `natsPrefix` */
export function busNames(prefix = '') {
  const dotted = prefix === '' ? '' : `${prefix}.`;
  const upper = prefix === '' ? '' : `${streamOf(prefix)}_`;
  return {
    /** The subject on NATS of a subject, or of a filter, of the event table. */
    subject: (subject: string): string => dotted + subject,
    /** The subject of the event table of one on NATS. */
    bareSubject: (subject: string): string => withoutPrefix(subject, dotted),
    /** The stream of an owner's events. */
    stream: (owner: string): string => upper + streamOf(owner),
    /** The stream of a service's dead letters. */
    deadStream: (service: string): string => upper + deadStreamOf(service),
    bareStream: (stream: string): string => withoutPrefix(stream, upper),
    /** Under which a service receives replies. */
    inbox: (service: string): string => `_INBOX_${prefix === '' ? '' : `${prefix}_`}${service}`,
  };
}

function withoutPrefix(name: string, prefix: string): string {
  if (!name.startsWith(prefix)) throw new Error(`${name} belongs to another installation`);
  return name.slice(prefix.length);
}
