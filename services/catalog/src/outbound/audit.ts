/** The audit: every change of what a video is, and everything the operator's staff did, with who and why. */
import type { Video } from '../domain/video.ts';
import { describeState } from '../domain/describe-state.ts';

/** Who causes a change, by which action, and why. */
export type By = {
  readonly actor: string;
  readonly action: string;
  readonly reason?: string;
  /** True: kept even when nothing changed. */
  readonly always?: boolean;
};

/** The row to keep; undefined where nothing is worth one. */
export function auditRow(was: Video, is: Video, by: By, at: Date) {
  const [before, now] = [describeState(was), describeState(is)];
  if (before === now && by.always !== true) return undefined;
  const { actor, action, reason = '' } = by;
  return { videoId: is.id, publisherId: is.publisherId, at, actor, action, was: before, became: now, reason };
}
