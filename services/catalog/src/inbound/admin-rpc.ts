/** gRPC for the operator's staff (vdsctl), on a port of its own. Every verb is written to the audit with who and why. */
import { catalog } from '@vds/proto';
import { failures } from '@vds/proto/failures';
import type { AdminVideoRequestOut } from '@vds/proto/generated/vds/catalog/v1/AdminVideoRequest.ts';
import type { CatalogAdminHandlers } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { RepeatStageRequestOut } from '@vds/proto/generated/vds/catalog/v1/RepeatStageRequest.ts';
import type { VideoDetails } from '@vds/proto/generated/vds/catalog/v1/VideoDetails.ts';
import { checkBy } from '@vds/chassis/database/audit';
import type { VideoStateOut } from '@vds/proto/generated/vds/catalog/v1/VideoState.ts';
import { AppError, notFound } from '@vds/chassis/errors';
import { withLogFacts } from '@vds/chassis/telemetry/log';
import { service, type Methods, type Served } from '@vds/chassis/rpc/rpc';
import { decideCommand } from '../domain/plan.ts';
import { previewActions, type ActionPreview } from '../domain/action-preview.ts';
import { decideRerun } from '../domain/rerun-stage.ts';
import { partnerRecord, protoState } from '../domain/record.ts';
import type { State } from '../domain/video.ts';
import type { Listings } from '../outbound/listings.ts';
import type { Loaded } from '../outbound/snapshots.ts';
import type { Decide, VideoStore } from '../outbound/video-store.ts';

type Deps = {
  readonly load: (id: string) => Promise<Loaded | undefined>;
  readonly change: VideoStore['change'];
  readonly listings: Listings;
};

type Lists = Pick<Methods<CatalogAdminHandlers>, 'ListPublisherVideos' | 'GetDailyUse' | 'ListAudit'>;

type Caller = { readonly caller: string };

const staff = ['vdsctl'];
const callers = {
  ShowVideo: staff,
  GetHistory: staff,
  RetryVideo: staff,
  HoldVideo: staff,
  ReleaseVideo: staff,
  RemoveVideo: staff,
  RepeatStage: staff,
  ListPublisherVideos: staff,
  GetDailyUse: staff,
  ListAudit: staff,
};

export function catalogAdminRpc(verbs: Deps): Served {
  return service<CatalogAdminHandlers>(catalog.CatalogAdmin.service, callers, {
    ShowVideo: ({ videoId }) => show(verbs, videoId),
    GetHistory: ({ videoId }) => history(verbs, videoId),
    RetryVideo: verb(verbs, 'retry'),
    HoldVideo: verb(verbs, 'hold'),
    ReleaseVideo: verb(verbs, 'release'),
    RemoveVideo: verb(verbs, 'remove'),
    RepeatStage: repeat(verbs),
    ...lists(verbs.listings),
  });
}

async function show(verbs: Deps, videoId: string): Promise<VideoDetails> {
  const { load, listings } = verbs;
  const [loaded, work, ahead] = await Promise.all([load(videoId), listings.work(videoId), lookAhead(verbs, videoId)]);
  if (!loaded) throw notFound(`video ${videoId}`);
  const { video, stages } = loaded;
  return {
    video: partnerRecord(video, stages, failures),
    publisherId: video.publisherId,
    intent: video.intent,
    held: video.held,
    version: video.version,
    attempt: video.attempt,
    stages: work.stages.map((stage) => ({
      stage: stage.stage,
      state: stage.state,
      attempt: stage.attempt,
      progress: stage.progress,
      revision: stage.revision,
      requestedAt: stage.requestedAt.toISOString(),
      ...(stage.startedAt && { startedAt: iso(stage.startedAt) }),
      ...(stage.finishedAt && { finishedAt: iso(stage.finishedAt) }),
    })) as NonNullable<VideoDetails['stages']>,
    unconfirmedPurges: work.purges.map(({ owner, scope }) => `${owner} ${scope}`),
    prospects: [...ahead],
  };
}

/** Decides every verb on the video as it is now, and does nothing of it. */
async function lookAhead({ change }: Deps, videoId: string): Promise<readonly ActionPreview[]> {
  let seen: readonly ActionPreview[] = [];
  const look: Decide = (snapshot, around) => {
    seen = previewActions(snapshot, around);
    return { kind: 'nothing' };
  };
  await change(videoId, look, { actor: 'catalog', action: 'look' });
  return seen;
}

function iso(date: Date | null): string | undefined {
  return date?.toISOString();
}

async function history({ listings }: Deps, videoId: string) {
  const found = await listings.history(videoId);
  if (!found) throw notFound(`video ${videoId}`);
  const created = { actor: 'partner', action: 'create', from: '', to: 'processing', reason: '' };
  return {
    entries: [
      { at: found.createdAt.toISOString(), ...created },
      ...found.audit.map(({ at, actor, action, was, became, reason }) => ({
        at: at.toISOString(),
        actor,
        action,
        from: was,
        to: became,
        reason,
      })),
    ],
  };
}

function verb(verbs: Deps, type: 'retry' | 'hold' | 'release' | 'remove') {
  return (asked: AdminVideoRequestOut, caller: Caller) =>
    decree(verbs, asked, caller, type, (snapshot, around) => decideCommand(snapshot, { type }, around));
}

/** Decides in the name of the operator, and shows what came of it. */
async function decree(
  verbs: Deps,
  { videoId, actor, reason }: AdminVideoRequestOut,
  { caller }: Caller,
  action: string,
  decide: Decide,
): Promise<VideoDetails> {
  const by = { ...checkBy({ actor, reason }, caller), action, always: true };
  const changed = await withLogFacts({ video_id: videoId }, () => verbs.change(videoId, decide, by));
  if (!changed) throw notFound(`video ${videoId}`);
  const { outcome } = changed;
  if (outcome.kind === 'refuse') throw new AppError(outcome.code, outcome.message);
  return show(verbs, videoId);
}

function repeat(verbs: Deps) {
  return ({ stage, ...asked }: RepeatStageRequestOut, caller: Caller) =>
    decree(verbs, asked, caller, `repeat ${stage}`, (snapshot, around) => decideRerun(snapshot, stage, around));
}

function lists(listings: Listings): Lists {
  return {
    ListPublisherVideos: async ({ state, ...asked }) => {
      const { rows, nextCursor } = await listings.videosOf({ ...asked, state: stateOf(state) });
      const videos = rows.map(({ id, createdAt, updatedAt, failure, ...row }) => ({
        ...row,
        videoId: id,
        state: protoState(row.state),
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
        ...(failure && { failureCode: failure.code }),
      }));
      return { videos, nextCursor };
    },
    GetDailyUse: ({ budgetIds }) => listings.dailyUse(budgetIds),
    ListAudit: async (asked) => {
      const { rows, nextCursor } = await listings.audit(asked);
      return { entries: rows.map(({ at, id: _id, ...row }) => ({ ...row, at: at.toISOString() })), nextCursor };
    },
  };
}

/** Undefined for the unspecified one. */
function stateOf(state: VideoStateOut): State | undefined {
  return state === 'VIDEO_STATE_UNSPECIFIED' ? undefined : (state.slice('VIDEO_STATE_'.length).toLowerCase() as State);
}
