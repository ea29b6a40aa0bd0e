/** Which objects of a video a purge removes. */
import type { PurgeScopeOut } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { attemptOfKey } from './source-layout.ts';

export type PurgeScope = Exclude<PurgeScopeOut, 'PURGE_SCOPE_UNSPECIFIED'>;

export type Purge = {
  readonly scope: PurgeScope;
  /**
   * PURGE_SCOPE_OTHER_ATTEMPTS: the one that stays, as do later ones; 0 keeps none. PURGE_SCOPE_SOURCE: the first that
   * stays; 0 sets no bound.
   */
  readonly keepAttempt: number;
  /** PURGE_SCOPE_SOURCE: the newest attempt known when it was requested; a later one has another source. */
  readonly upTo: number;
};

export type KnownFetch = {
  readonly attempt: number;
  readonly state: string;
  /** The object of a completed fetch. */
  readonly uploadKey: string | null;
};

/** Returns the test for keys to remove. An attempt that is being fetched is spared unless the whole video is purged. */
export function coveredBy({ scope, keepAttempt, upTo }: Purge, fetches: readonly KnownFetch[]) {
  const open = new Set(fetches.filter(({ state }) => state === 'open').map(({ attempt }) => attempt));
  const kept = fetches.find(({ attempt, state }) => attempt === keepAttempt && state === 'completed')?.uploadKey;
  return (key: string): boolean => {
    const attempt = attemptOfKey(key);
    if (scope === 'PURGE_SCOPE_VIDEO') return true;
    if (attempt === undefined) return false;
    if (scope === 'PURGE_SCOPE_SOURCE')
      return attempt <= upTo && (keepAttempt === 0 || attempt < keepAttempt) && !open.has(attempt);
    if (attempt === keepAttempt) return kept !== undefined && kept !== null && key !== kept;
    // Handled late, or swept again after a further retry: attempts after the kept one are spared.
    return keepAttempt === 0 || attempt < keepAttempt;
  };
}
