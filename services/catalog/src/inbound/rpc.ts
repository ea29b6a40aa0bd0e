/** gRPC for the gateway, playback, the apps, the search index and workers: translate, call, reply. */
import { catalog } from '@vds/proto';
import { failures } from '@vds/proto/failures';
import { isVideoId } from '@vds/proto/ids';
import type { CatalogServiceHandlers } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import type { CreateVideoRequestOut } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import type { OperationReply } from '@vds/proto/generated/vds/catalog/v1/OperationReply.ts';
import { AppError, notFound } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { withLogFields } from '@vds/chassis/telemetry/log';
import { service, type Call, type Served } from '@vds/chassis/rpc/rpc';
import { decideCommand } from '../domain/plan.ts';
import {
  clipRecord,
  descriptionRecord,
  partnerRecord,
  protoState,
  readyTracks,
  stateToCome,
} from '../domain/record.ts';
import type { Accepted, Daily, DailyCountQuery, NewVideo } from '../outbound/create-video.ts';
import type { Listings } from '../outbound/listings.ts';
import type { Loaded } from '../outbound/snapshots.ts';
import type { Decide, VideoStore } from '../outbound/video-store.ts';
import { listVideosInUse, type ListInUse } from './videos-in-use.ts';

type Deps = {
  readonly create: (video: NewVideo, leftMs: () => number) => Promise<Accepted>;
  readonly dailyCount: (query: DailyCountQuery) => Promise<Daily>;
  readonly load: (id: string, publisherId: string) => Promise<Loaded | undefined>;
  readonly change: VideoStore['change'];
  readonly listings: Listings;
  readonly listInUse: ListInUse;
};

const gateway = ['gateway'];
const callers = {
  CreateVideo: gateway,
  GetVideo: gateway,
  ArchiveVideo: gateway,
  RepublishVideo: gateway,
  DeleteVideo: gateway,
  GetDailyCount: gateway,
  GetClip: ['apps', 'vdsctl'],
  ResolvePlayback: ['playback', 'captions', 'metadata'],
  ListVideos: ['indexer', 'vdsctl'],
  GetIndexable: ['indexer', 'vdsctl'],
  DescribeVideo: ['metadata', 'vdsctl'],
  GetSourceAddress: ['ingest'],
  AttributeVideo: ['analytics'],
  ListVideosInUse: ['captions'],
};

/** The service for other services, each method with its permitted callers. */
export function catalogRpc(deps: Deps): Served {
  return service<CatalogServiceHandlers>(catalog.CatalogService.service, callers, {
    CreateVideo: async (request, { leftMs }) => {
      const { spentBudget = '', ...accepted } = await deps.create(newVideo(request), leftMs);
      return { ...accepted, spentBudget };
    },
    GetVideo: async ({ id, publisherId }) => {
      const loaded = await deps.load(id, publisherId);
      if (!loaded) throw notFound('the video');
      return partnerRecord(loaded.video, loaded.stages, failures);
    },
    ArchiveVideo: command(deps, 'archive'),
    RepublishVideo: command(deps, 'republish'),
    DeleteVideo: command(deps, 'delete'),
    GetDailyCount: (query) => deps.dailyCount(query),
    GetClip: async ({ videoId }) => clipRecord(await deps.listings.clip(videoId)),
    ResolvePlayback: async (request) => {
      const found = await deps.listings.playable(request);
      return {
        videoId: found.videoId,
        state: protoState(stateToCome(found)),
        ...(found.gateClosesInMs !== null && { gateClosesInMs: found.gateClosesInMs }),
        ladderKey: found.ladderKey ?? '',
        thumbnailKey: found.thumbnailKey ?? '',
        version: found.version,
        durationMs: found.durationMs ?? 0,
        tracks: readyTracks(found.captions),
        held: found.held,
      };
    },
    ListVideos: async ({ afterVersionSeq, limit }) => {
      const size = limit >= 1 ? Math.min(limit, 1_000) : 1_000;
      const { videos, settledVersionSeq } = await deps.listings.after(afterVersionSeq, size);
      return {
        videos: videos.map(({ state, ...video }) => ({ ...video, state: protoState(state) })),
        settledVersionSeq,
      };
    },
    GetIndexable: async ({ videoId }) => {
      const { version, clip, captions } = await deps.listings.indexable(videoId);
      const shown = clip && { clip: clipRecord(clip) };
      return { videoId, version, live: clip !== null, ...shown, tracks: readyTracks(captions) };
    },
    DescribeVideo: async ({ videoId }) => descriptionRecord(await deps.listings.described(videoId)),
    GetSourceAddress: ({ videoId, attempt }) => deps.listings.sourceAddress(videoId, attempt),
    AttributeVideo: async ({ videoId }) => {
      const { durationMs, ...known } = await deps.listings.attribution(videoId);
      return { ...known, ...(durationMs !== null && { durationMs }) };
    },
    ListVideosInUse: (request) => listVideosInUse(deps.listInUse, request),
  });
}

/** On the admin port: what the operator alone may call, every night without a person. */
export function forOperator(served: Served): Served {
  return { ...served, callers: { ListVideosInUse: ['vdsctl'] }, impersonal: { ListVideosInUse: () => true } };
}

function newVideo(request: CreateVideoRequestOut): NewVideo {
  const { id, publisherId, budgetId } = request;
  if (!isVideoId(id)) throw new AppError('INVALID_ARGUMENT', 'id must be a TypeID without vid_: 26 characters');
  if (publisherId === '' || budgetId === '')
    throw new AppError('INVALID_ARGUMENT', 'publisher_id and budget_id must not be empty');
  const { summary = null, thumbnailUrl = null, sport = null, category = null } = request;
  return { ...request, summary, thumbnailUrl, sport, category };
}

type Owned = { readonly id: string; readonly publisherId: string; readonly keyId: string };

/** A partner's command on one of its own videos. */
function command({ change }: Deps, type: 'archive' | 'republish' | 'delete') {
  return async ({ id, publisherId, keyId }: Owned, { leftMs }: Pick<Call, 'leftMs'>): Promise<OperationReply> => {
    const by = { actor: 'partner', action: type, ...(keyId !== '' && { reason: `key ${keyId}` }) };
    const decide: Decide = (snapshot, context) => {
      // Another replica may have answered, and the partner may have sent its next command since: this one comes too late.
      if (leftMs() <= 0) throw new AppError('DEADLINE_EXCEEDED', 'the caller has gone');
      return decideCommand(snapshot, { type }, context);
    };
    const changed = await withLogFields({ video_id: id }, () => change(id, decide, by, publisherId));
    if (!changed) throw notFound('the video');
    await failpoint('catalog.command-committed');
    const { outcome } = changed;
    if (outcome.kind === 'reject') throw new AppError(outcome.code, outcome.message);
    if (outcome.kind === 'stage-update' || !outcome.reply) throw new Error(`${type} has no reply`);
    return { id, ...outcome.reply };
  };
}
