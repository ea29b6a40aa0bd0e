/** The audit: every change of what a video is, and everything the operator's staff did, with who and why. */
import { situationOf } from '../domain/commands.ts';
import type { Video } from '../domain/video.ts';

/** Who causes a change, by which action, and why. */
export type By = {
  readonly actor: string;
  readonly action: string;
  readonly reason?: string;
  /** True: kept even when nothing changed. */
  readonly always?: boolean;
};

/** One word or three for what a video is: its state, what is queued, and whether the operator holds it. */
const words = (video: Video): string =>
  [
    video.state,
    ...(video.intent === 'none' ? [] : [`${video.intent} queued`]),
    ...(video.held ? ['held'] : []),
    ...(situationOf(video) === 'deleted' || video.attempt === 1 ? [] : [`attempt ${video.attempt}`]),
  ].join(', ');

/** The row to keep; undefined where nothing is worth one. */
export const auditRow = (was: Video, is: Video, by: By, at: Date) => {
  const [before, now] = [words(was), words(is)];
  if (before === now && by.always !== true) return undefined;
  const { actor, action, reason = '' } = by;
  return { videoId: is.id, at, actor, action, was: before, became: now, reason };
};
