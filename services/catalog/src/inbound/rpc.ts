/** gRPC for the gateway, players, apps and the search index: translate, call, reply. */
import { catalog } from '@vds/proto';
import { failures } from '@vds/proto/failures';
import type { CatalogServiceHandlers } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import type { CreateVideoRequestOut } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import type { OperationReply } from '@vds/proto/generated/vds/catalog/v1/OperationReply.ts';
import { AppError, notFound } from '@vds/chassis/errors';
import { withLogFacts } from '@vds/chassis/telemetry/log';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { decideCommand } from '../domain/plan.ts';
import { clipRecord, descriptionRecord, partnerRecord, protoState, readyTracks } from '../domain/record.ts';
import type { Accepted, Daily, NewVideo } from '../outbound/create-video.ts';
import type { Listings } from '../outbound/listings.ts';
import type { Playables } from '../outbound/playables.ts';
import type { Loaded } from '../outbound/snapshots.ts';
import type { VideoStore } from '../outbound/video-store.ts';

type Deps = {
  readonly create: (video: NewVideo, leftMs: () => number) => Promise<Accepted>;
  readonly dailyCount: (budgetId: string, limit: number) => Promise<Daily>;
  readonly load: (id: string, publisherId: string) => Promise<Loaded | undefined>;
  readonly change: VideoStore['change'];
  readonly listings: Listings;
  readonly playables: Pick<Playables, 'find'>;
};

const gateway = ['gateway'];
/** `vdsctl` also stands in for what has no service of its own yet: the apps, the index. */
const staff = 'vdsctl';
const callers = {
  CreateVideo: gateway,
  GetVideo: gateway,
  ArchiveVideo: gateway,
  RepublishVideo: gateway,
  DeleteVideo: gateway,
  GetDailyCount: gateway,
  GetClip: ['apps', 'demo', staff],
  ResolvePlayback: ['playback'],
  ListVideos: ['indexer', 'ingest', 'transcode', 'captions', 'metadata', staff],
  GetIndexable: ['indexer', staff],
  DescribeVideo: ['captions', 'metadata', staff],
};

/** The service that other rooms call, each method with the callers it is for. */
export function catalogRpc(answers: Deps): Served {
  return service<CatalogServiceHandlers>(catalog.CatalogService.service, callers, {
    CreateVideo: async (request, { leftMs }) => {
      const { accepted, daily } = await answers.create(newVideo(request), leftMs);
      return { accepted, daily };
    },
    GetVideo: async ({ id, publisherId }) => {
      const loaded = await answers.load(id, publisherId);
      if (!loaded) throw notFound('the video');
      return partnerRecord(loaded.video, loaded.stages, failures);
    },
    ArchiveVideo: order(answers, 'archive'),
    RepublishVideo: order(answers, 'republish'),
    DeleteVideo: order(answers, 'delete'),
    GetDailyCount: ({ budgetId, dailyLimit }) => answers.dailyCount(budgetId, dailyLimit),
    GetClip: async ({ videoId }) => clipRecord(await answers.listings.clip(videoId)),
    ResolvePlayback: async ({ playbackId }) => {
      const found = await answers.playables.find(playbackId);
      return {
        videoId: found.videoId,
        state: protoState(found.state),
        ...(found.gateClosesAt !== null && { gateClosesAtMs: found.gateClosesAt.getTime() }),
        ladderKey: found.ladderKey ?? '',
        thumbnailKey: found.thumbnailKey ?? '',
        version: found.version,
        durationMs: found.durationMs ?? 0,
        tracks: readyTracks(found.captions),
        ageMs: Math.ceil(found.ageMs),
      };
    },
    ListVideos: async ({ afterVersionSeq, limit }) => {
      const listed = await answers.listings.after(afterVersionSeq, limit >= 1 ? Math.min(limit, 1_000) : 1_000);
      return { videos: listed.map(({ state, ...video }) => ({ ...video, state: protoState(state) })) };
    },
    GetIndexable: async ({ videoId }) => {
      const { version, clip, captions } = await answers.listings.indexable(videoId);
      const shown = clip && { clip: clipRecord(clip) };
      return { videoId, version, live: clip !== null, ...shown, tracks: readyTracks(captions) };
    },
    DescribeVideo: async ({ videoId }) => descriptionRecord(await answers.listings.described(videoId)),
  });
}

function newVideo(request: CreateVideoRequestOut): NewVideo {
  const { id, publisherId, budgetId } = request;
  if (!/^[0-9a-z]{26}$/.test(id)) throw new AppError('INVALID_ARGUMENT', 'id must be 26 lower-case letters and digits');
  if (publisherId === '' || budgetId === '')
    throw new AppError('INVALID_ARGUMENT', 'publisher and budget must be named');
  return {
    id,
    publisherId,
    budgetId,
    keyId: request.keyId,
    dailyLimit: request.dailyLimit,
    sourceUrl: request.sourceUrl,
    title: request.title,
    tags: request.tags,
    languageCode: request.languageCode,
    summary: request.summary ?? null,
    thumbnailUrl: request.thumbnailUrl ?? null,
    sport: request.sport ?? null,
    category: request.category ?? null,
  };
}

/** A partner's order on one of its own videos. */
function order({ change }: Deps, type: 'archive' | 'republish' | 'delete') {
  return async ({ id, publisherId }: { id: string; publisherId: string }): Promise<OperationReply> => {
    const by = { actor: 'partner', action: type };
    const changed = await withLogFacts({ video_id: id }, () =>
      change(id, (snapshot, around) => decideCommand(snapshot, { type }, around), by, publisherId),
    );
    if (!changed) throw notFound('the video');
    const { outcome } = changed;
    if (outcome.kind === 'refuse') throw new AppError(outcome.code, outcome.message);
    if (outcome.kind === 'mark' || !outcome.reply) throw new Error(`${type} has no reply`);
    return { id, ...outcome.reply };
  };
}
