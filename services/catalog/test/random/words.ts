/** What the owners of stages say, as messages, and what catalog's own door of events makes of them. */
import { events, type EventType } from '@vds/proto/events';
import { lastWords, tracksAt } from '@vds/proto/testing/last-words';
import { createLogger } from '@vds/chassis/telemetry/log';
import { isOpen } from '../../src/domain/stage-status.ts';
import { stages as list } from '../../src/domain/stages.ts';
import type { Snapshot } from '../../src/domain/plan.ts';
import { durableHandlers } from '../../src/inbound/events.ts';
import type { By } from '../../src/outbound/audit.ts';
import type { Decide, VideoStore } from '../../src/outbound/video-store.ts';
import { eventOf } from '../stages.ts';
import type { Step } from './steps.ts';

type Said = { readonly event: EventType<never, unknown>; readonly payload: object };

const log = createLogger('test', 'silent');

/** Puts a step into the words of the stage's owner. */
export async function saidBy(step: Extract<Step, { do: 'word' }>, { video, stages }: Snapshot): Promise<Said> {
  const name = step.stage === 'open' ? (stages.find(isOpen)?.stage ?? 'fetch') : step.stage;
  const current = stages.find(({ stage }) => stage === name)?.revision ?? 0;
  const owner = list.find((stage) => stage.name === name)?.owner ?? '';
  const attempt = step.old ? video.attempt - 1 : video.attempt;
  const revision = step.stale ? current + 1 : current;
  const of = { videoId: video.id, attempt, revision };
  const is = (word: string, more: object = {}): Said => ({
    event: eventOf(`${owner}.${name}.${word}.v1`),
    payload: { ...of, ...more },
  });
  if (step.word === 'audio')
    return { event: events.audioCompleted, payload: { ...of, hasAudio: true, playlistKey: 'a.m3u8' } };
  if (step.word === 'tracks')
    return {
      event: events.tracksChanged,
      payload: { ...of, state: tracksAt(video.id, video.captionsRevision + 1, attempt) },
    };
  if (step.word === 'failed') return is('failed', { code: 'source_timeout', details: {} });
  // inspect is too short to tell how far it is.
  if (step.word === 'progressed' && name !== 'inspect') return is('progressed', { percent: 40 });
  if (step.word !== 'completed') return is('started');
  let last: Said = is('completed');
  const keep = (event: EventType<never, unknown>, payload: object): Promise<void> => {
    last = { event, payload: { ...payload, revision } };
    return Promise.resolve();
  };
  const complete = lastWords(keep as never, 24_600) as Readonly<
    Record<string, (id: string, attempt: number) => unknown>
  >;
  await complete[name]?.(video.id, attempt);
  return last;
}

/** What catalog decides by on hearing it, and in whose name. */
export async function decisionOn(said: Said): Promise<{ readonly decide: Decide; readonly by: By }> {
  let found: { readonly decide: Decide; readonly by: By } | undefined;
  await hearWith((_id, decide, by) => {
    found = { decide, by };
    return Promise.resolve(undefined);
  }, said);
  if (!found) throw new Error(`nobody hears ${said.event.subject}`);
  return found;
}

async function hearWith(change: VideoStore['change'], { event, payload }: Said): Promise<void> {
  const hearing = { change, confirmPurge: () => Promise.resolve(true), unknownFailure: () => {}, log };
  const ear = durableHandlers(hearing).find(({ subject }) => subject === event.subject);
  await ear?.handle(event.encode(payload as never), { id: 'test', delivery: 1 });
}
