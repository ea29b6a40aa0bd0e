/** Production with one injected fault at a time, of the kinds that a naive implementation has. */
import { amend, type Video } from '../../src/domain/video.ts';
import type { Plan } from '../../src/domain/plan.ts';
import { allowing, but, seenAs, video, type InjectedFault } from './inject-fault.ts';
import { production, type Product } from './product.ts';
import { encodeAndCaptions } from './world.ts';

type Change = (plan: Plan) => Partial<Plan>;

/** One fault: the law that finds it, the smallest budget of moves that reveals it, and what differs from production. */
function mutant(
  fault: string,
  kind: InjectedFault['kind'],
  left: Parameters<typeof allowing>[0],
  product: Partial<Product>,
  list?: InjectedFault['list'],
): InjectedFault {
  return { fault, kind, left: allowing(left), product: { ...production, ...product }, ...(list && { list }) };
}

/** Commands, or those of one type, whose plan is changed. */
function commands(change: Change, type?: string): Partial<Product> {
  return {
    decideCommand: (snapshot, command, context) => {
      const outcome = production.decideCommand(snapshot, command, context);
      return type === undefined || command.type === type ? but(outcome, change) : outcome;
    },
  };
}

/** Events of stages that see no queued command of this kind. */
function forgetting(intent: Video['intent']): Partial<Product> {
  return {
    decideStageEvent: (snapshot, event, context) =>
      production.decideStageEvent(
        seenAs(snapshot, snapshot.video.intent === intent ? { intent: 'none' } : {}),
        event,
        context,
      ),
  };
}

const oneAttempt = 'media exactly when ready or archived, of one attempt, at rest';

export const mutants: readonly InjectedFault[] = [
  mutant(
    'a completion that ignores a queued delete',
    'never ready after an accepted delete',
    { delete: 1 },
    forgetting('delete'),
  ),
  mutant(
    'a completion that publishes first and archives afterwards',
    'a queued archive is never in the index',
    { archive: 1 },
    forgetting('archive'),
  ),
  mutant(
    'a retry that forgets the queued archive',
    'a queued archive is never in the index',
    { archive: 1, failure: 1, retry: 1 },
    commands(
      video(() => ({ intent: 'none' })),
      'retry',
    ),
  ),
  mutant(
    'a failure that ignores that the video is deleted',
    'deleted absorbs',
    { delete: 1, failure: 1 },
    {
      decideStageEvent: (snapshot, event, context) => {
        if (snapshot.video.state !== 'deleted' || event.type !== 'failed')
          return production.decideStageEvent(snapshot, event, context);
        const next = amend(snapshot.video, { state: 'failed' }, context.now);
        const { stages } = snapshot;
        return { kind: 'plan', before: snapshot.video, video: next, stages, requests: [], effects: [] };
      },
    },
  ),
  mutant(
    'an event of an earlier attempt that counts for this one',
    oneAttempt,
    { failure: 1, retry: 1, crash: 1 },
    {
      decideStageEvent: (snapshot, event, context) =>
        production.decideStageEvent(snapshot, { ...event, attempt: snapshot.video.attempt }, context),
    },
  ),
  mutant(
    'an index that is written without a version',
    'indexed exactly when ready, at rest',
    { archive: 1 },
    {
      written: (index, { live }) => (index.live === live ? index : { ...index, live }),
    },
  ),
  mutant(
    'a purge that keeps the objects of a lost attempt',
    oneAttempt,
    { failure: 1, retry: 1 },
    {
      removes: ({ scope }) => scope === 'VIDEO',
    },
  ),
  mutant('a purge that does not sweep a second time', oneAttempt, { delete: 1 }, { sweepsAgain: false }),
  mutant(
    'an updated_at by the clock of the host',
    'updated_at never goes back',
    {},
    {
      decideStageEvent: (snapshot, event, context) =>
        but(
          production.decideStageEvent(snapshot, event, context),
          video(() => ({ updatedAt: context.now })),
        ),
    },
  ),
  mutant('a request that is not republished', 'every accepted video ends', { crash: 1 }, { republished: () => [] }),
  mutant(
    'an archive without a new version',
    'version strictly grows',
    { archive: 1 },
    commands(video(({ before }) => ({ version: before.version }))),
  ),
  mutant(
    'an archive that leaves the clip to the apps',
    'a clip exactly while ready',
    { archive: 1 },
    commands(({ effects }) => ({ effects: effects.filter(({ type }) => type !== 'withdraw-clip') })),
  ),
  mutant(
    'a retry that makes the operator the owner',
    'owner never changes',
    { failure: 1, retry: 1 },
    commands(
      video(() => ({ publisherId: 'operator' })),
      'retry',
    ),
  ),
  mutant(
    'a queued delete that waits only for its stages',
    'every accepted video ends',
    { delete: 1 },
    {
      decideTime: () => ({ kind: 'no-op' }),
    },
  ),
  mutant(
    'an archive with a new playback id',
    'a playback id never changes',
    { archive: 1 },
    commands(video(({ before }) => ({ playbackId: before.playbackId && 'another' }))),
  ),
  mutant(
    'a deletion that leaves its stages open',
    'no open stage once failed or deleted',
    { delete: 1 },
    {
      decideTime: (snapshot, context) =>
        but(production.decideTime(snapshot, context), () => ({ stages: snapshot.stages })),
    },
  ),
  mutant(
    'a queued delete without an end of its wait',
    'a processing video waits for something',
    { delete: 1 },
    commands(video(() => ({ dueAt: null }))),
  ),
  mutant(
    'a wait that never ends',
    'every accepted video ends',
    { crash: 1 },
    {
      republished: (due) => due.filter((message) => !('stage' in message) || message.stage !== 'captions'),
      decideTime: (snapshot, context) => {
        const { state, intent } = snapshot.video;
        return state === 'processing' && intent === 'none'
          ? { kind: 'no-op' }
          : production.decideTime(snapshot, context);
      },
    },
    encodeAndCaptions,
  ),
];
