/** A house as one builds it without thinking of every order of events: production with one fault planted at a time. */
import { amend } from '../../src/domain/video.ts';
import { allowing, but, seenAs, video, type Planted } from './inject-fault.ts';
import { production } from './product.ts';

const forgetfulOfIntents: readonly Planted[] = [
  {
    fault: 'a completion that does not look for a queued delete',
    kind: 'never ready after an accepted delete',
    left: allowing({ delete: 1 }),
    product: {
      ...production,
      decideStageEvent: (snapshot, fact, around) =>
        production.decideStageEvent(
          seenAs(snapshot, snapshot.video.intent === 'delete' ? { intent: 'none' } : {}),
          fact,
          around,
        ),
    },
  },
  {
    fault: 'a completion that publishes first and archives afterwards',
    kind: 'a queued archive is never in the index',
    left: allowing({ archive: 1 }),
    product: {
      ...production,
      decideStageEvent: (snapshot, fact, around) =>
        production.decideStageEvent(
          seenAs(snapshot, snapshot.video.intent === 'archive' ? { intent: 'none' } : {}),
          fact,
          around,
        ),
    },
  },
  {
    fault: 'a retry that forgets the queued archive',
    kind: 'a queued archive is never in the index',
    left: allowing({ archive: 1, failure: 1, retry: 1 }),
    product: {
      ...production,
      decideCommand: (snapshot, command, around) => {
        const outcome = production.decideCommand(snapshot, command, around);
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
    fault: 'a failure that does not look whether the video is deleted',
    kind: 'deleted absorbs',
    left: allowing({ delete: 1, failure: 1 }),
    product: {
      ...production,
      decideStageEvent: (snapshot, fact, around) => {
        const { state } = snapshot.video;
        if (state !== 'deleted' || fact.type !== 'failed') return production.decideStageEvent(snapshot, fact, around);
        const next = amend(snapshot.video, { state: 'failed' }, around.now);
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

const careless: readonly Planted[] = [
  {
    fault: 'a fact of an earlier attempt that counts for this one',
    kind: 'media exactly when ready or archived, of one attempt, at rest',
    left: allowing({ failure: 1, retry: 1 }),
    product: {
      ...production,
      decideStageEvent: (snapshot, fact, around) =>
        production.decideStageEvent(snapshot, { ...fact, attempt: snapshot.video.attempt }, around),
    },
  },
  {
    fault: 'an index that is written without a version',
    kind: 'indexed exactly when ready, at rest',
    left: allowing({ archive: 1 }),
    product: { ...production, written: (index, { live }) => (index.live === live ? index : { ...index, live }) },
  },
  {
    fault: 'a removal that spares what a lost attempt has made',
    kind: 'media exactly when ready or archived, of one attempt, at rest',
    left: allowing({ failure: 1, retry: 1 }),
    product: { ...production, removes: ({ scope }) => scope === 'VIDEO' },
  },
  {
    fault: 'a removal that does not look a second time',
    kind: 'media exactly when ready or archived, of one attempt, at rest',
    left: allowing({ delete: 1 }),
    product: { ...production, looksAgain: false },
  },
  {
    fault: 'updated_at as the host says it',
    kind: 'updated_at never goes back',
    left: allowing({}),
    product: {
      ...production,
      decideStageEvent: (snapshot, fact, around) =>
        but(
          production.decideStageEvent(snapshot, fact, around),
          video(() => ({ updatedAt: around.now })),
        ),
    },
  },
  {
    fault: 'a request that is said once',
    kind: 'every accepted video ends',
    left: allowing({ crash: 1 }),
    product: { ...production, reminders: () => [] },
  },
];

const incomplete: readonly Planted[] = [
  {
    fault: 'an archive without a new version',
    kind: 'version strictly grows',
    left: allowing({ archive: 1 }),
    product: {
      ...production,
      decideCommand: (snapshot, command, around) =>
        but(
          production.decideCommand(snapshot, command, around),
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
      decideCommand: (snapshot, command, around) =>
        but(production.decideCommand(snapshot, command, around), ({ effects }) => ({
          effects: effects.filter(({ type }) => type !== 'withdraw-clip'),
        })),
    },
  },
  {
    fault: 'a retry in the operator’s own name',
    kind: 'owner never changes',
    left: allowing({ failure: 1, retry: 1 }),
    product: {
      ...production,
      decideCommand: (snapshot, command, around) => {
        const outcome = production.decideCommand(snapshot, command, around);
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
    fault: 'a queued delete that waits for its stages alone',
    kind: 'every accepted video ends',
    left: allowing({ delete: 1 }),
    product: { ...production, decideTime: () => ({ kind: 'nothing' }) },
  },
];

export const naive: readonly Planted[] = [...forgetfulOfIntents, ...careless, ...incomplete];
