/** The purges that a decision requests. A purge is a ledger row per owner, republished until that owner confirms it. */
import { purgeOwners, stageOwners } from '@vds/proto/stages';
import { sourceOwner } from './stages.ts';
import type { Video } from './video.ts';

export type PurgeScope = 'VIDEO' | 'OTHER_ATTEMPTS' | 'SOURCE';

export type Purge = {
  readonly scope: PurgeScope;
  /** OTHER_ATTEMPTS: the one attempt to keep. SOURCE: the first one to keep. */
  readonly keepAttempt: number;
  readonly owners: readonly string[];
  /** When it is first requested. */
  readonly at: Date;
};

/** Everything of the video, permanently. */
export function purgeVideo(at: Date): Purge {
  return { scope: 'VIDEO', keepAttempt: 0, owners: purgeOwners, at };
}

/** Leftovers of earlier attempts, and of jobs of this one that lost their lease. */
export function purgeLosers(attempt: number, at: Date): Purge {
  return { scope: 'OTHER_ATTEMPTS', keepAttempt: attempt, owners: stageOwners, at };
}

/**
 * All outputs of a failed attempt but its source, which is kept for a retry. The attempt to keep is the next, which has no
 * outputs yet: a request that is delivered after a retry cannot harm it.
 */
export function purgeFailed(attempt: number, at: Date): Purge {
  const others = stageOwners.filter((owner) => owner !== sourceOwner);
  return { scope: 'OTHER_ATTEMPTS', keepAttempt: attempt + 1, owners: others, at };
}

/** The source of earlier attempts, once a new attempt fetches its own. */
export function purgeOldSources(attempt: number, at: Date): Purge {
  return { scope: 'OTHER_ATTEMPTS', keepAttempt: attempt, owners: [sourceOwner], at };
}

/** The fetched file of this attempt and those before it; delivered after a retry, it keeps the retry's own. */
export function purgeSource(attempt: number, at: Date): Purge {
  return { scope: 'SOURCE', keepAttempt: attempt + 1, owners: [sourceOwner], at };
}

/**
 * Whether an event is of work that its owner was asked to purge: of a request delivered late, or of a restored
 * database. Its outputs would otherwise stay.
 */
export function isOfPurgedWork(
  video: Pick<Video, 'state' | 'attempt'>,
  { type, attempt }: { readonly type: string; readonly attempt: number },
): boolean {
  if (type === 'tracks') return false; // Repeated for every video after messages were lost.
  return (
    video.state === 'deleted' || attempt < video.attempt || (video.state === 'failed' && attempt === video.attempt)
  );
}
