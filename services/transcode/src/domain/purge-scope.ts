/** Which of a video's objects a purge is about. */
import type { PurgeScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { videoPrefix } from './hls/object-keys.ts';

type Purge = { readonly scope: PurgeScope; readonly videoId: string; readonly keepAttempt: number };

/**
 * Makes the test of a key. Copies of the source's own bytes lie in the folders of `cut` alone.
 * Other attempts are those before the one to keep (0: all): one that is heard or done late, after a further retry,
 * spares what that retry makes.
 */
export function concernedBy({ scope, videoId, keepAttempt }: Purge): (key: string) => boolean {
  const prefix = videoPrefix(videoId);
  return (key) => {
    const below = key.slice(prefix.length);
    if (scope === 'PURGE_SCOPE_SOURCE') return /^[^/]+\/cut\./.test(below);
    if (scope === 'PURGE_SCOPE_VIDEO' || keepAttempt === 0) return true;
    const [, attempt] = /^(\d+)\//.exec(below) ?? [];
    return attempt === undefined || Number(attempt) < keepAttempt;
  };
}
