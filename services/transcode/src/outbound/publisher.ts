/** What transcode says, as outbox rows. Message ids name the cause, so that a repeat of the cause is no second message. */
import { events } from '@vds/proto/events';
import { AppError } from '@vds/chassis/errors';
import { outgoing, type Outgoing } from '@vds/chassis/database/outbox';
import type { PurgeScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import type { FailureCode } from '@vds/proto/failures';
import { durationMs, type TitlePlan } from '../domain/plan/title-plan.ts';
import type { StageKey } from './stages.ts';
import type { TitleKey } from './titles.ts';

const started = { inspect: events.inspectStarted, encode: events.encodeStarted } as const;
const failed = { inspect: events.inspectFailed, encode: events.encodeFailed } as const;

/** The last word on a stage, as it is kept beside the stage and said again when the stage is asked for again. */
export type StageResult =
  | {
      readonly said: 'inspected';
      readonly durationMs: number;
      readonly hasAudio: boolean;
      readonly warnings: { readonly code: string; readonly message: string }[];
    }
  | {
      readonly said: 'encoded';
      readonly ladderKey: string;
      readonly thumbnailKey: string;
      readonly durationMs: number;
      readonly hasAudio: boolean;
      readonly audioPlaylistKey: string;
    }
  | { readonly said: 'failed'; readonly code: FailureCode; readonly details: Record<string, string> };

export type Purge = { readonly videoId: string; readonly scope: PurgeScope; readonly keepAttempt: number };

export function publishStarted(key: StageKey): Outgoing {
  return outgoing(started[key.stage], common(key), id(started[key.stage].subject, key));
}

function common({ videoId, attempt }: TitleKey) {
  return { videoId, attempt };
}

function id(subject: string, { videoId, attempt }: TitleKey, more = ''): string {
  return `${subject}/${videoId}/${attempt}${more}`;
}

export function publishProgressed(key: TitleKey, percent: number): Outgoing {
  return outgoing(
    events.encodeProgressed,
    { ...common(key), percent },
    id(events.encodeProgressed.subject, key, `/${percent}`),
  );
}

export function publishAudio(key: TitleKey, playlistKey: string): Outgoing {
  return outgoing(
    events.audioCompleted,
    { ...common(key), hasAudio: playlistKey !== '', playlistKey },
    id(events.audioCompleted.subject, key),
  );
}

/**
 * @param repeat distinguishes a repeated answer from the first, which the stream would otherwise swallow
 */
export function publishResult(key: StageKey, answer: StageResult, repeat = ''): Outgoing {
  const { said, ...payload } = answer;
  const event = {
    inspected: events.inspectCompleted,
    encoded: events.encodeCompleted,
    failed: failed[key.stage],
  }[said];
  // Each answer's fields are those of the event that it is said with.
  return outgoing<object>(event, { ...common(key), ...payload }, id(event.subject, key, repeat));
}

export function inspected(plan: TitlePlan): StageResult {
  return {
    said: 'inspected',
    durationMs: durationMs(plan.timeline),
    hasAudio: plan.facts.audio !== undefined,
    warnings: [...plan.warnings],
  };
}

/** Reads back what `sayAnswer` was given. */
export function resultOf(kept: unknown): StageResult {
  if (typeof kept === 'object' && kept !== null && 'said' in kept) return kept as StageResult;
  throw new AppError('INTERNAL', 'a closed stage has no last word');
}

export function publishPurged({ videoId, scope, keepAttempt }: Purge, cause: string): Outgoing {
  return outgoing(
    events.transcodeVideoPurged,
    { videoId, scope, keepAttempt },
    `${events.transcodeVideoPurged.subject}/${videoId}/${scope}/${keepAttempt}/${cause}`,
  );
}
