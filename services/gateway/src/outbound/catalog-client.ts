/** Client of catalog. Errors meant for the partner pass; every other one is INTERNAL with its cause. */
import { catalog } from '@vds/proto';
import type { CreateVideoReplyOut } from '@vds/proto/generated/vds/catalog/v1/CreateVideoReply.ts';
import type { CreateVideoRequest } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import type { DailyCountOut } from '@vds/proto/generated/vds/catalog/v1/DailyCount.ts';
import type { GetDailyCountRequest } from '@vds/proto/generated/vds/catalog/v1/GetDailyCountRequest.ts';
import type { OperationReplyOut } from '@vds/proto/generated/vds/catalog/v1/OperationReply.ts';
import type { VideoOut } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import type { ConfigOf } from '@vds/chassis/config/config';
import { AppError, orUndefinedIfNotFound } from '@vds/chassis/errors';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

export type VideoKey = { readonly id: string; readonly publisherId: string; readonly keyId: string };
export type CatalogClient = ReturnType<typeof openCatalogClient>;

export function openCatalogClient(target: string, config: ConfigOf<typeof rpcClientConfig>, timeoutMs: number) {
  // CreateVideo too: the same id makes it one video and one charge.
  const idempotent = ['CreateVideo', 'GetVideo', 'GetDailyCount', 'ArchiveVideo', 'RepublishVideo', 'DeleteVideo'];
  const client = rpcClient(catalog.CatalogService, { target, config, timeoutMs, idempotent });
  return {
    /**
     * `accepted: false`: a budget of the day is spent. It has twice the time of other calls: a partner who gets 500
     * does not know whether the video exists.
     */
    createVideo: (request: CreateVideoRequest): Promise<CreateVideoReplyOut> =>
      toPartnerError(client.CreateVideo(request, { timeoutMs: 2 * timeoutMs })),
    getVideo: (key: VideoKey): Promise<VideoOut> => toPartnerError(client.GetVideo(key)),
    archiveVideo: (key: VideoKey): Promise<OperationReplyOut> => toPartnerError(client.ArchiveVideo(key)),
    republishVideo: (key: VideoKey): Promise<OperationReplyOut> => toPartnerError(client.RepublishVideo(key)),
    deleteVideo: (key: VideoKey): Promise<OperationReplyOut> => toPartnerError(client.DeleteVideo(key)),
    getDailyCount: (request: GetDailyCountRequest): Promise<DailyCountOut> =>
      toPartnerError(client.GetDailyCount(request)),
    /** Startup check: reads a video that does not exist. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.GetVideo({ id: '', publisherId: '' })),
    close: client.close,
  };
}

/** NOT_FOUND and FAILED_PRECONDITION are for the partner; every other error is INTERNAL with its cause. */
async function toPartnerError<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined;
    if (code === 'NOT_FOUND') throw new AppError('NOT_FOUND', 'There is no such video.', { cause: error });
    if (code === 'FAILED_PRECONDITION') throw error;
    throw new AppError('INTERNAL', 'catalog failed', { cause: error });
  }
}
