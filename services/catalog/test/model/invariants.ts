/** The laws: of every step, of every state, and of every state of rest, from which nothing more happens by itself. */
import { situationOf } from '../../src/domain/commands.ts';
import { isOpen } from '../../src/domain/stages.ts';
import type { World } from './world.ts';

/** The kinds of violation. */
export type Kind =
  | 'deleted absorbs'
  | 'never ready after an accepted delete'
  | 'a queued archive is never in the index'
  | 'a clip exactly while ready'
  | 'indexed exactly when ready, at rest'
  | 'media exactly when ready or archived, of one attempt, at rest'
  | 'version strictly grows'
  | 'updated_at never goes back'
  | 'every accepted video ends'
  | 'owner never changes'
  | 'a playback id never changes'
  | 'no open stage once failed or deleted'
  | 'a processing video waits for something';

/** @param after before its times and versions are normalized */
export function brokenByStep({ video: was, ...before }: World, after: World): Kind | undefined {
  const { video: is } = after;
  if (was.state === 'deleted' && is.state !== 'deleted') return 'deleted absorbs';
  if (is === was) return undefined;
  if (is.publisherId !== was.publisherId) return 'owner never changes';
  if (was.playbackId !== null && is.playbackId !== was.playbackId) return 'a playback id never changes';
  const grew = is.version > was.version;
  if (!grew && withoutVersion({ ...before, video: was }) !== withoutVersion(after)) return 'version strictly grows';
  return is.updatedAt < was.updatedAt ? 'updated_at never goes back' : undefined;
}

function withoutVersion({ video }: World): string {
  return JSON.stringify({ ...video, version: 0, updatedAt: 0 });
}

export function brokenByState({ video, stages, clip, index, promised }: World): Kind | undefined {
  if (promised.deleted && video.state === 'ready') return 'never ready after an accepted delete';
  if (promised.hidden && (clip || index.live)) return 'a queued archive is never in the index';
  const open = stages.some(isOpen);
  if (open && (video.state === 'failed' || video.state === 'deleted')) return 'no open stage once failed or deleted';
  if (video.state === 'processing' && !open && video.dueAt === null) return 'a processing video waits for something';
  return clip === (video.state === 'ready') ? undefined : 'a clip exactly while ready';
}

export function brokenByRest(world: World): Kind | undefined {
  const situation = situationOf(world.video);
  if (situation === 'processing' || situation === 'processingHeld' || situation === 'deleting')
    return 'every accepted video ends';
  if (world.index.live !== (world.video.state === 'ready')) return 'indexed exactly when ready, at rest';
  return hasItsMedia(world) ? undefined : 'media exactly when ready or archived, of one attempt, at rest';
}

/** The objects are those of the row's attempt, and no others. */
function hasItsMedia({ video, objects }: World): boolean {
  return video.state === 'ready' || video.state === 'archived'
    ? objects.length === 1 && String(objects[0]) === video.ladderKey && objects[0] === video.attempt
    : objects.length === 0;
}
