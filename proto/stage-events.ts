/** The events that follow from the tables of stages.ts; events.ts has them beside all others. */
import { fact, request, type EventOf, type MessageName } from './event-type.ts';
import {
  purgeOwners,
  stageNames,
  stages,
  type PurgeOwner,
  type StageName,
  type StageOwner,
  type StageRow,
} from './stages.ts';

/** The event of a message whose name follows from a row; `never` if no contract has it. */
type Derived<Message extends string> = Message extends MessageName ? EventOf<Message> : never;
type OwnEvent<S extends StageName, Name extends string> = Derived<`vds.${StageOwner<S>}.v1.${Capitalize<Name>}`>;
type Milestones<S extends StageName> = (typeof stages)[S]['milestones'];

/** What a stage is requested with, and what its owner publishes about it. */
type Life<S extends StageName> = {
  readonly requested: OwnEvent<S, `${S}Requested`>;
  readonly started: Derived<'vds.common.v1.StageStarted'>;
  readonly progressed: Derived<'vds.common.v1.StageProgressed'>;
  readonly completed: OwnEvent<S, `${S}Completed`>;
  readonly failed: Derived<'vds.common.v1.StageFailed'>;
};
type Reached<S extends StageName> = {
  readonly [M in keyof Milestones<S>]: OwnEvent<S, Milestones<S>[M] & string>;
};
type StageEvents = { readonly [S in StageName]: Life<S> & { readonly milestones: Reached<S> } };

/** The rows of each stage, for `defineStage`. */
export const stageEvents = Object.fromEntries(
  stageNames.map((stage) => [stage, eventsOf(stage, stages[stage])]),
) as unknown as StageEvents; // The names and messages of `eventsOf` are those of the types above.

function eventsOf(stage: StageName, { owner, milestones }: StageRow) {
  const own = (name: string) => `vds.${owner}.v1.${capitalized(name)}` as MessageName;
  return {
    requested: request(`catalog.${stage}.requested.v1`, own(`${stage}Requested`), owner),
    started: fact(`${owner}.${stage}.started.v1`, 'vds.common.v1.StageStarted'),
    progressed: fact(`${owner}.${stage}.progressed.v1`, 'vds.common.v1.StageProgressed'),
    completed: fact(`${owner}.${stage}.completed.v1`, own(`${stage}Completed`)),
    failed: fact(`${owner}.${stage}.failed.v1`, 'vds.common.v1.StageFailed'),
    milestones: Object.fromEntries(
      Object.entries(milestones).map(([milestone, name]) => {
        const subject = `${owner}.${name.replace(/[A-Z]/, (letter) => `.${letter.toLowerCase()}`)}.v1`;
        return [milestone, fact(subject, own(name))];
      }),
    ),
  };
}

type Named<S extends StageName> = { readonly [K in keyof Life<S> as `${S}${Capitalize<K>}`]: Life<S>[K] } & {
  readonly [M in keyof Milestones<S> as Milestones<S>[M] & string]: Reached<S>[M];
};
type All<T> = { [K in keyof T]: (part: T[K]) => void }[keyof T] extends (part: infer Parts) => void ? Parts : never;

/** The same by their names: `fetchRequested`, `headStored`. */
export const namedStageEvents = Object.fromEntries(
  stageNames.flatMap((stage) => {
    const { milestones, ...life } = stageEvents[stage];
    const names: StageRow['milestones'] = stages[stage].milestones;
    return [
      ...Object.entries(life).map(([kind, event]) => [`${stage}${capitalized(kind)}`, event] as const),
      ...Object.entries(milestones).map(([milestone, event]) => [names[milestone] ?? '', event] as const),
    ];
  }),
) as All<{ [S in StageName]: Named<S> }>;

/** `ingestVideoPurged`, and so on for every owner. */
export const purgeEvents = Object.fromEntries(
  purgeOwners.map((owner) => [`${owner}VideoPurged`, fact(`${owner}.video.purged.v1`, 'vds.common.v1.VideoPurged')]),
) as { readonly [Owner in PurgeOwner as `${Owner}VideoPurged`]: EventOf<'vds.common.v1.VideoPurged'> };

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
