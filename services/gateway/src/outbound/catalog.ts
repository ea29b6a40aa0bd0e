/** catalog, as the gateway needs it. What catalog tells the partner passes; everything else is a fault of ours. */
import { setTimeout as pause } from 'node:timers/promises';
import { catalog } from '@vds/proto';
import type { CreateVideoReplyOut } from '@vds/proto/generated/vds/catalog/v1/CreateVideoReply.ts';
import type { CreateVideoRequest } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import type { DailyCountOut } from '@vds/proto/generated/vds/catalog/v1/DailyCount.ts';
import type { OperationReplyOut } from '@vds/proto/generated/vds/catalog/v1/OperationReply.ts';
import type { VideoOut } from '@vds/proto/generated/vds/catalog/v1/Video.ts';
import type { ConfigOf } from '@vds/chassis/config/config';
import { AppError, type ErrorCode } from '@vds/chassis/errors';
import { orUndefinedIfNotFound } from '@vds/chassis/process/startup-checks';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

export type VideoKey = { readonly id: string; readonly publisherId: string };

const lost: readonly ErrorCode[] = ['UNAVAILABLE', 'DEADLINE_EXCEEDED'];
const repeatDelaysMs = [100, 400];
export type Catalog = ReturnType<typeof openCatalog>;

export function openCatalog(target: string, config: ConfigOf<typeof rpcClientConfig>, timeoutMs: number) {
  const idempotent = ['GetVideo', 'GetDailyCount', 'ArchiveVideo', 'RepublishVideo', 'DeleteVideo'];
  const client = rpcClient(catalog.CatalogService, { target, config, timeoutMs, idempotent });
  const ask = async <T>(question: () => Promise<T>): Promise<T> => {
    try {
      return await question();
    } catch (error) {
      throw asPartnerSees(error);
    }
  };
  return {
    /** Sent up to three times with the same id. `accepted: false`: the day's budget is spent. */
    createVideo: (request: CreateVideoRequest): Promise<CreateVideoReplyOut> =>
      ask(() => repeated(() => client.CreateVideo(request), repeatDelaysMs)),
    getVideo: (key: VideoKey): Promise<VideoOut> => ask(() => client.GetVideo(key)),
    archiveVideo: (key: VideoKey): Promise<OperationReplyOut> => ask(() => client.ArchiveVideo(key)),
    republishVideo: (key: VideoKey): Promise<OperationReplyOut> => ask(() => client.RepublishVideo(key)),
    deleteVideo: (key: VideoKey): Promise<OperationReplyOut> => ask(() => client.DeleteVideo(key)),
    getDailyCount: (budgetId: string, dailyLimit: number): Promise<DailyCountOut> =>
      ask(() => client.GetDailyCount({ budgetId, dailyLimit })),
    /** For the first contact: asks for a video that nobody has. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.GetVideo({ id: '', publisherId: '' })),
    close: client.close,
  };
}

/** NOT_FOUND and FAILED_PRECONDITION are the partner's; all else is INTERNAL with its cause. */
function asPartnerSees(error: unknown): AppError {
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'NOT_FOUND') return new AppError('NOT_FOUND', 'There is no such video.', { cause: error });
  if (error instanceof AppError && code === 'FAILED_PRECONDITION') return error;
  return new AppError('INTERNAL', 'catalog could not answer', { cause: error });
}

/** Sends again what may not have arrived: the id makes it one video and one charge. */
async function repeated<T>(send: () => Promise<T>, delaysMs: readonly number[]): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const [delay, ...later] = delaysMs;
    if (delay === undefined || !(error instanceof AppError) || !lost.includes(error.code)) throw error;
    await pause(delay);
    return repeated(send, later);
  }
}
