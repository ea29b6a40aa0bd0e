/** Production with one injected fault at a time, of the kinds that a naive implementation has. */
import { amend } from '../../src/domain/video.ts';
import { allowing, but, seenAs, video, type InjectedFault } from './inject-fault.ts';
import { production } from './product.ts';
import { encodeAndCaptions } from './world.ts';

const forgetfulOfIntents: readonly InjectedFault[] = [
  {
    fault: 'a completion that ignores a queued delete',
    kind: 'never ready after an accepted delete',
    left: allowing({ delete: 1 }),
    product: {
      ...production,
      decideStageEvent: (snapshot, event, context) =>
        production.decideStageEvent(
          seenAs(snapshot, snapshot.video.intent === 'delete' ? { intent: 'none' } : {}),
          event,
          context,
        ),
    },
  },
  {
    fault: 'a completion that publishes first and archives afterwards',
    kind: 'a queued archive is never in the index',
    left: allowing({ archive: 1 }),
    product: {
      ...production,
      decideStageEvent: (snapshot, event, context) =>
        production.decideStageEvent(
          seenAs(snapshot, snapshot.video.intent === 'archive' ? { intent: 'none' } : {}),
          event,
          context,
        ),
    },
  },
  {
    fault: 'a retry that forgets the queued archive',
    kind: 'a queued archive is never in the index',
    left: allowing({ archive: 1, failure: 1, retry: 1 }),
    product: {
      ...production,
      decideCommand: (snapshot, command, context) => {
        const outcome = production.decideCommand(snapshot, command, context);
        return command.type === 'retry'
          ? but(
              outcome,
              video(() => ({ intent: 'none' })),
            )
          : outcome;
      },
    },
  },
  {
    fault: 'a failure that ignores that the video is deleted',
    kind: 'deleted absorbs',
    left: allowing({ delete: 1, failure: 1 }),
    product: {
      ...production,
      decideStageEvent: (snapshot, event, context) => {
        const { state } = snapshot.video;
        if (state !== 'deleted' || event.type !== 'failed')
          return production.decideStageEvent(snapshot, event, context);
        const next = amend(snapshot.video, { state: 'failed' }, context.now);
        return {
          kind: 'plan',
          before: snapshot.video,
          video: next,
          stages: snapshot.stages,
          requests: [],
          effects: [],
        };
      },
    },
  },
];

const careless: readonly InjectedFault[] = [
  {
    fault: 'an event of an earlier attempt that counts for this one',
    kind: 'media exactly when ready or archived, of one attempt, at rest',
    left: allowing({ failure: 1, retry: 1, crash: 1 }),
    product: {
      ...production,
      decideStageEvent: (snapshot, event, context) =>
        production.decideStageEvent(snapshot, { ...event, attempt: snapshot.video.attempt }, context),
    },
  },
  {
    fault: 'an index that is written without a version',
    kind: 'indexed exactly when ready, at rest',
    left: allowing({ archive: 1 }),
    product: { ...production, written: (index, { live }) => (index.live === live ? index : { ...index, live }) },
  },
  {
    fault: 'a purge that keeps the objects of a lost attempt',
    kind: 'media exactly when ready or archived, of one attempt, at rest',
    left: allowing({ failure: 1, retry: 1 }),
    product: { ...production, removes: ({ scope }) => scope === 'VIDEO' },
  },
  {
    fault: 'a purge that does not sweep a second time',
    kind: 'media exactly when ready or archived, of one attempt, at rest',
    left: allowing({ delete: 1 }),
    product: { ...production, sweepsAgain: false },
  },
  {
    fault: 'an updated_at by the clock of the host',
    kind: 'updated_at never goes back',
    left: allowing({}),
    product: {
      ...production,
      decideStageEvent: (snapshot, event, context) =>
        but(
          production.decideStageEvent(snapshot, event, context),
          video(() => ({ updatedAt: context.now })),
        ),
    },
  },
  {
    fault: 'a request that is not republished',
    kind: 'every accepted video ends',
    left: allowing({ crash: 1 }),
    product: { ...production, republished: () => [] },
  },
];

const incomplete: readonly InjectedFault[] = [
  {
    fault: 'an archive without a new version',
    kind: 'version strictly grows',
    left: allowing({ archive: 1 }),
    product: {
      ...production,
      decideCommand: (snapshot, command, context) =>
        but(
          production.decideCommand(snapshot, command, context),
          video(({ before }) => ({ version: before.version })),
        ),
    },
  },
  {
    fault: 'an archive that leaves the clip to the apps',
    kind: 'a clip exactly while ready',
    left: allowing({ archive: 1 }),
    product: {
      ...production,
      decideCommand: (snapshot, command, context) =>
        but(production.decideCommand(snapshot, command, context), ({ effects }) => ({
          effects: effects.filter(({ type }) => type !== 'withdraw-clip'),
        })),
    },
  },
  {
    fault: 'a retry that makes the operator the owner',
    kind: 'owner never changes',
    left: allowing({ failure: 1, retry: 1 }),
    product: {
      ...production,
      decideCommand: (snapshot, command, context) => {
        const outcome = production.decideCommand(snapshot, command, context);
        return command.type === 'retry'
          ? but(
              outcome,
              video(() => ({ publisherId: 'operator' })),
            )
          : outcome;
      },
    },
  },
  {
    fault: 'a queued delete that waits only for its stages',
    kind: 'every accepted video ends',
    left: allowing({ delete: 1 }),
    product: { ...production, decideTime: () => ({ kind: 'no-op' }) },
  },
];

const unlawful: readonly InjectedFault[] = [
  {
    fault: 'an archive with a new playback id',
    kind: 'a playback id never changes',
    left: allowing({ archive: 1 }),
    product: {
      ...production,
      decideCommand: (snapshot, command, context) =>
        but(
          production.decideCommand(snapshot, command, context),
          video(({ before }) => ({ playbackId: before.playbackId && 'another' })),
        ),
    },
  },
  {
    fault: 'a deletion that leaves its stages open',
    kind: 'no open stage once failed or deleted',
    left: allowing({ delete: 1 }),
    product: {
      ...production,
      decideTime: (snapshot, context) =>
        but(production.decideTime(snapshot, context), () => ({ stages: snapshot.stages })),
    },
  },
  {
    fault: 'a queued delete without an end of its wait',
    kind: 'a processing video waits for something',
    left: allowing({ delete: 1 }),
    product: {
      ...production,
      decideCommand: (snapshot, command, context) =>
        but(
          production.decideCommand(snapshot, command, context),
          video(() => ({ dueAt: null })),
        ),
    },
  },
];

const impatient: readonly InjectedFault[] = [
  {
    fault: 'a wait that never ends',
    kind: 'every accepted video ends',
    left: allowing({ crash: 1 }),
    list: encodeAndCaptions,
    product: {
      ...production,
      republished: (due) => due.filter((message) => !('stage' in message) || message.stage !== 'captions'),
      decideTime: (snapshot, context) => {
        const { state, intent } = snapshot.video;
        return state === 'processing' && intent === 'none'
          ? { kind: 'no-op' }
          : production.decideTime(snapshot, context);
      },
    },
  },
];

export const mutants: readonly InjectedFault[] = [
  ...forgetfulOfIntents,
  ...careless,
  ...incomplete,
  ...unlawful,
  ...impatient,
];
