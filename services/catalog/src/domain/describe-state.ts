/** What a video is, as the audit and the operator's staff read it. */
import { situationOf } from './commands.ts';
import type { Video } from './video.ts';

/** One word or more: its state, what is queued, whether the operator holds it, and which attempt it is if not the first. */
export function describeState(video: Video): string {
  return [
    video.state,
    ...(video.intent === 'none' ? [] : [`${video.intent} queued`]),
    ...(video.held ? ['held'] : []),
    ...(situationOf(video) === 'deleted' || video.attempt === 1 ? [] : [`attempt ${video.attempt}`]),
  ].join(', ');
}
