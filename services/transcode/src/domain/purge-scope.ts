/** Which of a video's objects a purge removes. */
import type { PurgeScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { videoPrefix } from './hls/object-keys.ts';

type Purge = {
  readonly scope: PurgeScope;
  readonly videoId: string;
  readonly keepAttempt: number;
  /** The newest attempt that was known when the purge was requested. */
  readonly upTo: number;
};

/**
 * Returns the test for keys to remove. Copies of the source's bytes lie only in the folders of `cut`; those of attempts
 * after the request stay. Other attempts are those before the one to keep (0: all): a purge that is handled late, after
 * a further retry, spares what that retry makes.
 */
export function purgedKeys({ scope, videoId, keepAttempt, upTo }: Purge): (key: string) => boolean {
  const prefix = videoPrefix(videoId);
  return (key) => {
    const [, attempt, folder = ''] = /^(\d+)\/([^/]*)/.exec(key.slice(prefix.length)) ?? [];
    if (scope === 'PURGE_SCOPE_SOURCE') return folder.startsWith('cut.') && Number(attempt) <= upTo;
    if (scope === 'PURGE_SCOPE_VIDEO' || keepAttempt === 0) return true;
    return attempt === undefined || Number(attempt) < keepAttempt;
  };
}
