/** gRPC for the operator (vdsctl), on a separate port. */
import { indexer } from '@vds/proto';
import { isVideoId } from '@vds/proto/ids';
import type { IndexedVideo } from '@vds/proto/generated/vds/indexer/v1/IndexedVideo.ts';
import type { IndexerAdminHandlers } from '@vds/proto/generated/vds/indexer/v1/IndexerAdmin.ts';
import type { ReindexStatus } from '@vds/proto/generated/vds/indexer/v1/ReindexStatus.ts';
import { checkBy } from '@vds/chassis/database/audit';
import { AppError } from '@vds/chassis/errors';
import { service, type Methods, type Served } from '@vds/chassis/rpc/rpc';
import type { ReindexState } from '../outbound/reindex/reindex-state.ts';
import type { Stored } from '../outbound/documents.ts';
import type { ListIndexed } from '../outbound/list-indexed.ts';
import type { IndexStatus } from '../outbound/index-status.ts';
import type { Reindex } from '../outbound/reindex/reindex.ts';

type Deps = {
  readonly reindex: Reindex;
  /** Reads the video again and rewrites its document unconditionally. */
  readonly refresh: (videoId: string) => Promise<void>;
  readonly read: (videoId: string) => Promise<Stored | undefined>;
  readonly status: IndexStatus;
  readonly list: ListIndexed;
};

const operator = ['vdsctl'];
const MAX_LISTED = 1_000;
const callers = {
  StartReindex: operator,
  GetReindex: operator,
  RefreshVideo: operator,
  ShowVideo: operator,
  GetIndexStatus: operator,
  ListIndexedVideos: operator,
};

export function indexerAdminRpc(deps: Deps): Served {
  const methods: Methods<IndexerAdminHandlers> = {
    StartReindex: async ({ actor, reason, force }, call) =>
      statusOf(await deps.reindex.start({ ...checkBy({ actor, reason }, call), force })),
    GetReindex: async () => statusOf(await deps.reindex.read()),
    RefreshVideo: async ({ videoId }) => {
      await deps.refresh(checkId(videoId));
      return shown(deps, videoId);
    },
    ShowVideo: async ({ videoId }) => shown(deps, checkId(videoId)),
    GetIndexStatus: () => deps.status(),
    ListIndexedVideos: async ({ after, limit, videoIds }) => {
      if (videoIds.length > MAX_LISTED) throw new AppError('INVALID_ARGUMENT', `at most ${MAX_LISTED} videos`);
      const videos = await deps.list({ after, limit: limit >= 1 ? Math.min(limit, MAX_LISTED) : MAX_LISTED, videoIds });
      return { videos: [...videos] };
    },
  };
  return service<IndexerAdminHandlers>(indexer.IndexerAdmin.service, callers, methods, {
    ListIndexedVideos: () => true, // every night's look for lost objects
  });
}

function statusOf(state: ReindexState | undefined): ReindexStatus {
  return {
    state: state?.state ?? 'none',
    fromIndex: state?.from_index ?? '',
    toIndex: state?.to_index ?? '',
    written: state?.written ?? 0,
    seen: state?.seen ?? 0,
    ...(state && { startedAt: state.started_at }),
    ...(state?.finished_at !== undefined && { finishedAt: state.finished_at }),
    ...(state?.error !== undefined && { error: state.error }),
  };
}

function checkId(videoId: string): string {
  if (!isVideoId(videoId))
    throw new AppError('INVALID_ARGUMENT', 'video_id must be 26 letters and digits, without vid_');
  return videoId;
}

async function shown({ read }: Deps, videoId: string): Promise<IndexedVideo> {
  const stored = await read(videoId);
  if (!stored) return { videoId, found: false, live: false, version: 0, document: '' };
  const { version, source } = stored;
  return { videoId, found: true, live: source['live'] === true, version, document: JSON.stringify(source) };
}
