/** `ListVideosInUse`, for the operator and for the owners of buckets. */
import type { ListVideosInUseReply } from '@vds/proto/generated/vds/catalog/v1/ListVideosInUseReply.ts';
import type { ListVideosInUseRequestOut } from '@vds/proto/generated/vds/catalog/v1/ListVideosInUseRequest.ts';
import { AppError } from '@vds/chassis/errors';
import type { InUseQuery, listInUse } from '../outbound/reconcile-rows.ts';

export type ListInUse = (query: InUseQuery) => ReturnType<typeof listInUse>;

const MAX_VIDEOS = 200;

/** @throws AppError INVALID_ARGUMENT for too many ids */
export async function listVideosInUse(
  list: ListInUse,
  { afterVersionSeq: after, limit: wanted, videoIds }: ListVideosInUseRequestOut,
): Promise<ListVideosInUseReply> {
  if (videoIds.length > MAX_VIDEOS)
    throw new AppError('INVALID_ARGUMENT', `at most ${MAX_VIDEOS} videos in one request`);
  const limit = wanted >= 1 ? Math.min(wanted, MAX_VIDEOS) : MAX_VIDEOS;
  const { videos, settledVersionSeq } = await list({ after, limit, videoIds });
  return { videos: videos.map((video) => ({ ...video, captionKeys: [...video.captionKeys] })), settledVersionSeq };
}
