/** The five operations on videos: translate, call catalog, reply. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { AppError, errorTable, messageOf } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { OperationReplyOut } from '@vds/proto/generated/vds/catalog/v1/OperationReply.ts';
import type { AddressPolicy } from '../domain/address-rules.ts';
import { canonicalJson, readIdempotencyKey } from '../domain/idempotency.ts';
import { readIngest } from '../domain/ingest-request.ts';
import { readVideoId, writeVideoId } from '../domain/video-id.ts';
import { videoRecord } from '../domain/video-record.ts';
import type { Caller } from '../outbound/auth-client.ts';
import type { CatalogClient, VideoKey } from '../outbound/catalog-client.ts';
import { tooManyRequests } from './admission.ts';
import { readJson } from './body.ts';
import type { Contract } from './contract.ts';
import { sendJson, sendTagged } from './envelope.ts';

export type Handler = (request: Request, response: Response, caller: Caller) => Promise<void>;

export type VideoDeps = {
  readonly catalog: CatalogClient;
  readonly contract: Contract;
  readonly addresses: AddressPolicy;
  readonly playbackUrl: string;
  readonly newVideoId: () => string;
  readonly log: Logger;
};

/** By the budget of the day that is spent. */
const spentMessages: Readonly<Record<string, string>> & { readonly requests: string } = {
  requests: 'The ingest budget of the day is spent.',
  media_minutes: 'The budget of minutes of video of the day is spent.',
  fetched_bytes: 'The budget of fetched bytes of the day is spent.',
};
const DAILY_REMAINING = 'x-ratelimit-daily-remaining';

/** POST /v1/videos */
export function createVideo(deps: VideoDeps): Handler {
  return async (request, response, caller) => {
    try {
      await acceptVideo(deps, request, response, caller);
    } catch (error) {
      if (error instanceof AppError && errorTable[error.code].http === 400) await setDailyCount(deps, response, caller);
      throw error;
    }
  };
}

async function acceptVideo(deps: VideoDeps, request: Request, response: Response, caller: Caller): Promise<void> {
  const idempotencyKey = readIdempotencyKey(request.headersDistinct['idempotency-key'] ?? []);
  const body = await readJson(request, response);
  const ingest = readIngest(deps.contract.checkIngest(body), deps.addresses);
  const requestHash = idempotencyKey === '' ? Buffer.alloc(0) : sha256(canonicalJson(body));
  const newId = deps.newVideoId();
  const { publisherId, keyId, budgetId, dailyLimit } = caller;
  const video = { id: newId, publisherId, keyId, budgetId, dailyLimit, ...ingest, idempotencyKey, requestHash };
  const reply = await deps.catalog.createVideo(video);
  // The previous release's catalog returns no id.
  const id = reply.id === '' ? newId : reply.id;
  if (!reply.daily) throw new AppError('INTERNAL', 'catalog replied without the daily count');
  await failpoint('gateway.video-accepted');
  response.set(DAILY_REMAINING, String(Math.max(0, reply.daily.remaining)));
  if (!reply.accepted) {
    const message = spentMessages[reply.spentBudget] ?? spentMessages.requests;
    throw tooManyRequests(message, reply.daily.resetsInSeconds, 'daily_ingest_limit');
  }
  sendJson(response, 202, {
    id: writeVideoId(id),
    status: 'processing',
    resource_url: `/v1/videos/${id}`,
    message: 'Video accepted. Processing typically takes 2 to 5 minutes.',
  });
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The rest of the day's budget on a 400, which is sent without it when catalog fails. */
async function setDailyCount({ catalog, log }: VideoDeps, response: Response, caller: Caller): Promise<void> {
  try {
    const { budgetId, dailyLimit, publisherId } = caller;
    const { remaining } = await catalog.getDailyCount({ budgetId, dailyLimit, publisherId });
    response.set(DAILY_REMAINING, String(Math.max(0, remaining)));
  } catch (error) {
    log.warn({ reason: messageOf(error) }, 'daily count of a rejected request unknown');
  }
}

/** GET /v1/videos/{id} */
export function getVideo({ catalog, playbackUrl }: VideoDeps): Handler {
  return async (request, response, caller) =>
    sendTagged(request, response, videoRecord(await catalog.getVideo(videoKey(request, caller)), playbackUrl));
}

/** A malformed id is a video that does not exist. */
function videoKey(request: Request, { publisherId, keyId }: Caller): VideoKey {
  const id = readVideoId(String(request.params['id']));
  if (id === undefined) throw new AppError('NOT_FOUND', 'There is no such video.');
  return { id, publisherId, keyId };
}

/** POST /v1/videos/{id}/archive */
export function archiveVideo({ catalog }: VideoDeps): Handler {
  return operate(catalog.archiveVideo);
}

function operate(send: (key: VideoKey) => Promise<OperationReplyOut>): Handler {
  return async (request, response, caller) => {
    const { id, status, queued, message = '' } = await send(videoKey(request, caller));
    if (queued) sendJson(response, 202, { id: writeVideoId(id), status, message });
    else sendJson(response, 200, { id: writeVideoId(id), status });
  };
}

/** POST /v1/videos/{id}/republish */
export function republishVideo({ catalog }: VideoDeps): Handler {
  return operate(catalog.republishVideo);
}

/** DELETE /v1/videos/{id} */
export function deleteVideo({ catalog }: VideoDeps): Handler {
  return operate(catalog.deleteVideo);
}
