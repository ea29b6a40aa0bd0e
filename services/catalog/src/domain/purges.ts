/**
 * Which removals a decision asks for. A removal is a row of the ledger for each owner, asked for until that owner
 * answers that nothing is left.
 */
import { owners, sourceOwner, stageOwners } from './stages.ts';

export type PurgeScope = 'VIDEO' | 'OTHER_ATTEMPTS' | 'SOURCE';

export type Purge = {
  readonly scope: PurgeScope;
  /** OTHER_ATTEMPTS: the one attempt that stays. SOURCE: the first that stays. */
  readonly keepAttempt: number;
  readonly owners: readonly string[];
  /** From when it is asked for. */
  readonly at: Date;
};

/** Everything of the video, for ever. */
export function purgeVideo(at: Date): Purge {
  return { scope: 'VIDEO', keepAttempt: 0, owners, at };
}

/** What earlier attempts, and units that lost the race within this one, have left behind. */
export function purgeLosers(attempt: number, at: Date): Purge {
  return {
    scope: 'OTHER_ATTEMPTS',
    keepAttempt: attempt,
    owners: stageOwners,
    at,
  };
}

/**
 * Whatever a failed attempt has made of the source, which itself is kept for a retry. The attempt to keep is the next,
 * of which nothing exists yet: a removal that is heard late, after a retry, cannot harm that retry.
 */
export function purgeFailed(attempt: number, at: Date): Purge {
  return {
    scope: 'OTHER_ATTEMPTS',
    keepAttempt: attempt + 1,
    owners: stageOwners.filter((owner) => owner !== sourceOwner),
    at,
  };
}

/** The source of earlier attempts, once a new attempt fetches its own. */
export function purgeOldSources(attempt: number, at: Date): Purge {
  return {
    scope: 'OTHER_ATTEMPTS',
    keepAttempt: attempt,
    owners: [sourceOwner],
    at,
  };
}

/** The fetched file alone, of this attempt and those before it: heard late, after a retry, it spares the retry's own. */
export function purgeSource(attempt: number, at: Date): Purge {
  return {
    scope: 'SOURCE',
    keepAttempt: attempt + 1,
    owners: [sourceOwner],
    at,
  };
}
