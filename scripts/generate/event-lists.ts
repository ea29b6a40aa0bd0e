/** Lists of events, streams and stages: from the event table. */
import { deadStreamOf, durableConsumers, events, streamOf, type Delivery, type EventType } from '@vds/proto/events';
import { purgeOwners, stages } from '@vds/proto/stages';
import { alike, code, codes, listed, table } from './markdown.ts';

type Row = Pick<EventType<never, unknown>, 'subject' | 'owner' | 'consumers'>;

const rows: readonly Row[] = Object.values(events);
const owners = [...new Set(rows.map(({ owner }) => owner))];
/** `durable` is the usual way. */
const ways: Readonly<Record<Delivery, string>> = {
  durable: 'once per service',
  watch: 'in every replica',
  batches: 'once per service, in batches',
};

/** Each stream of a component: of its events, and of the messages that it has given up on. */
function streamsOf(service: string): string[] {
  return [
    ...(owners.includes(service) ? [streamOf(service)] : []),
    ...(durableConsumers.includes(service) ? [deadStreamOf(service)] : []),
  ];
}

const streams = [...owners.map(streamOf), ...durableConsumers.map(deadStreamOf)];

/** The lists that are not of one service. */
export const eventLists: Readonly<Record<string, () => readonly string[]>> = {
  streams: () => [
    `JetStream needs room for ${streams.length + 1} of them on each replica: one more than there are streams, for the state of consumers.`,
    '',
    ...table(
      ['stream', 'holds'],
      [
        ...owners.map((owner) => [code(streamOf(owner)), `events of ${owner}`]),
        ...durableConsumers.map((name) => [code(deadStreamOf(name)), `dead letters of ${name}`]),
      ],
    ),
  ],
  'streams by component': () =>
    [...new Set([...owners, ...durableConsumers])].map((name) => `${name}: ${streamsOf(name).length}`),
  'owners of stages': () =>
    table(
      ['stage', 'owner'],
      alike(Object.entries(stages).map(([stage, { owner }]) => [stage, owner] as const)).map(([stages, owner]) => [
        codes(stages),
        owner,
      ]),
    ),
  'logs of owners of purges': () => [
    '```sh',
    `for service in ${purgeOwners.join(' ')}; do logs $service 1h; done`,
    '```',
  ],
};

/** The events that a service consumes, and how. */
export function consumedBy(service: string): string[] {
  const consumed = rows.flatMap(({ subject, consumers }) => {
    const way = consumers[service];
    return way === undefined ? [] : [[subject, ways[way]] as const];
  });
  return linesOf(consumed);
}

/** The events that a service publishes, and who consumes them. */
export function publishedBy(service: string): string[] {
  const published = rows
    .filter(({ owner }) => owner === service)
    .map(({ subject, consumers }) => [subject, `to ${listed(Object.keys(consumers))}`] as const);
  return linesOf(published);
}

/** A line for the events of each way or consumer. */
function linesOf(cells: readonly (readonly [subject: string, cell: string])[]): string[] {
  if (cells.length === 0) return ['Nothing.'];
  const rows = grouped(cells).map(([event = '', cell = '']) => [event, cell] as const);
  return alike(rows).map(([events, cell]) => `- ${cell}: ${listed(events)}`);
}

/** Events that differ in their last word alone, and have the same second cell, as one row: `a.b.{started,failed}.v1`. */
function grouped(cells: readonly (readonly [subject: string, cell: string])[]): string[][] {
  const keyed = cells.map(([subject, cell]) => {
    const [owner = '', noun = '', what = '', version = ''] = subject.split('.');
    return [what, { start: `${owner}.${noun}`, version, cell }] as const;
  });
  return alike(keyed).map(([words, { start, version, cell }]) => [
    code(`${start}.${words.length === 1 ? words[0] : `{${words.join(',')}}`}.${version}`),
    cell,
  ]);
}
