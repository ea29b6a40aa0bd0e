/** Steps as actions: whom they ask, and what decides on them. */
import { AppError } from '@vds/chassis/errors';
import { until } from '@vds/testkit/until';
import { decideTime } from '../../src/domain/stage-events.ts';
import type { Snapshot } from '../../src/domain/plan.ts';
import type { Loaded } from '../../src/outbound/snapshots.ts';
import { around } from '../support.ts';
import { commanding, type Action } from './preview.ts';
import type { Hall } from './cluster.ts';
import type { Step } from './steps.ts';
import { decisionOn, saidBy } from './words.ts';

/**
 * @param before the video as it is when the step is taken
 * @param alone false: other steps are taken at the same time
 */
export async function actionOf(hall: Hall, step: Step, before: Loaded, alone: boolean): Promise<Action> {
  if (step.do === 'order') return orderBy(hall, step, before);
  if (step.do === 'verb') return verbBy(hall, step, before);
  return step.do === 'word' ? wordBy(hall, step, before, alone) : clockBy(hall, step, before);
}

function orderBy(hall: Hall, { type, door: at, foreign }: Extract<Step, { do: 'order' }>, { video }: Snapshot): Action {
  const asked = { id: video.id, publisherId: foreign ? 'somebody-else' : video.publisherId };
  const { partner } = hall.door(at);
  const ask = { archive: partner.ArchiveVideo, republish: partner.RepublishVideo, delete: partner.DeleteVideo }[type];
  return {
    decide: commanding(type),
    by: { actor: 'partner', action: type },
    ask: () => inShort(ask(asked), toPartner),
    foreign,
  };
}

function inShort(asked: Promise<unknown>, answer: (reply: unknown) => string): Promise<string> {
  return asked.then(answer, (error: unknown) => {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'FAILED_PRECONDITION'))
      return error.message === 'the video does not exist' ? 'NOT_FOUND' : `${error.code} ${error.message}`;
    throw error;
  });
}

function toPartner(reply: unknown): string {
  const { status, message = '', queued } = reply as { status: string; message?: string; queued: boolean };
  return `${queued ? 202 : 200} ${status} ${message}`;
}

function verbBy(hall: Hall, { type, door: at }: Extract<Step, { do: 'verb' }>, { video }: Snapshot): Action {
  const { staff } = hall.door(at);
  const by = { actor: 'sre', reason: 'why' };
  const ask = {
    retry: staff.RetryVideo,
    hold: staff.HoldVideo,
    release: staff.ReleaseVideo,
    remove: staff.RemoveVideo,
  }[type];
  return {
    decide: commanding(type),
    by: { ...by, action: type, always: true },
    ask: () => inShort(ask({ ...by, videoId: video.id }), () => 'done'),
  };
}

async function wordBy(
  hall: Hall,
  step: Extract<Step, { do: 'word' }>,
  before: Loaded,
  alone: boolean,
): Promise<Action> {
  const said = await saidBy(step, before);
  const { decide, by } = await decisionOn(said);
  const { kind } = decide(before, around(before.now));
  const { id, version } = before.video;
  const moved = async (): Promise<boolean> => {
    const { video, stages } = await hall.load(id);
    return video.version !== version || JSON.stringify(stages) !== JSON.stringify(before.stages);
  };
  const overNats = async (): Promise<string> => {
    await hall.house.say(said.event, said.payload as never);
    await until(moved, { what: `${said.event.subject} of ${id} is heard`, everyMs: 5, capMs: 60_000 });
    return 'heard';
  };
  const atTheDoor = (): Promise<string> => hall.change(id, decide, by).then(() => 'heard');
  // What changes nothing cannot be waited for, so it is not said where it could be heard after the next.
  return { decide, by, ask: step.bus && alone && kind !== 'nothing' ? overNats : atTheDoor };
}

function clockBy(hall: Hall, { ms }: Extract<Step, { do: 'clock' }>, { video }: Snapshot): Action {
  const decide: Action['decide'] = (snapshot, about) =>
    decideTime(snapshot, { ...about, now: new Date(about.now.getTime() + ms) });
  const by = { actor: 'catalog', action: 'clock' };
  return { decide, by, ask: () => hall.change(video.id, decide, by).then(() => 'heard') };
}
