/** gRPC for the operator (vdsctl), on a separate port. Every command is written to the audit with who and why. */
import { catalog } from '@vds/proto';
import { failures } from '@vds/proto/failures';
import type { AdminVideoRequestOut } from '@vds/proto/generated/vds/catalog/v1/AdminVideoRequest.ts';
import type { CatalogAdminHandlers } from '@vds/proto/generated/vds/catalog/v1/CatalogAdmin.ts';
import type { ReconcileReply } from '@vds/proto/generated/vds/catalog/v1/ReconcileReply.ts';
import type { ReconcileRequestOut } from '@vds/proto/generated/vds/catalog/v1/ReconcileRequest.ts';
import type { RerunStageRequestOut } from '@vds/proto/generated/vds/catalog/v1/RerunStageRequest.ts';
import type { VideoDetails } from '@vds/proto/generated/vds/catalog/v1/VideoDetails.ts';
import type { SetBudgetsRequestOut } from '@vds/proto/generated/vds/catalog/v1/SetBudgetsRequest.ts';
import { checkBy, type By } from '@vds/chassis/database/audit';
import type { VideoStateOut } from '@vds/proto/generated/vds/catalog/v1/VideoState.ts';
import { AppError, notFound } from '@vds/chassis/errors';
import { withLogFields } from '@vds/chassis/telemetry/log';
import { service, type Methods, type Served, type Call } from '@vds/chassis/rpc/rpc';
import { decideCommand } from '../domain/plan.ts';
import { decideRerun, previewActions } from '../domain/operator-actions.ts';
import { partnerRecord, protoState, sourceHostOf } from '../domain/record.ts';
import { changeBudgets, describeBudgets, type BudgetChanges } from '../domain/usage.ts';
import type { State } from '../domain/video.ts';
import type { OperatorReads } from '../outbound/operator-reads.ts';
import type { Loaded } from '../outbound/snapshots.ts';
import type { MonthlyUsage, PublisherUsage } from '../outbound/usage.ts';
import type { Decide, VideoStore } from '../outbound/video-store.ts';

type Deps = {
  readonly load: (id: string) => Promise<Loaded | undefined>;
  readonly change: VideoStore['change'];
  readonly consider: VideoStore['consider'];
  readonly reads: OperatorReads;
  readonly usage: (publisherId: string) => Promise<PublisherUsage>;
  readonly listUsage: (month: string, after: string) => Promise<MonthlyUsage[]>;
  readonly setBudgets: (publisherId: string, changes: BudgetChanges, by: By) => Promise<void>;
  readonly reconcile: (request: ReconcileRequestOut, caller: Caller) => Promise<ReconcileReply>;
};

type Caller = Pick<Call, 'caller' | 'staff'>;

const operator = ['vdsctl'];
const callers = {
  ShowVideo: operator,
  GetHistory: operator,
  RetryVideo: operator,
  HoldVideo: operator,
  ReleaseVideo: operator,
  RemoveVideo: operator,
  RerunStage: operator,
  ListPublisherVideos: operator,
  GetDailyUse: operator,
  GetBudgets: operator,
  SetBudgets: operator,
  ListUsage: operator,
  ListAudit: operator,
  Reconcile: operator,
};

export function catalogAdminRpc(deps: Deps): Served {
  const methods: Methods<CatalogAdminHandlers> = {
    ShowVideo: ({ videoId }) => show(deps, videoId),
    GetHistory: ({ videoId }) => history(deps, videoId),
    RetryVideo: command(deps, 'retry'),
    HoldVideo: command(deps, 'hold'),
    ReleaseVideo: command(deps, 'release'),
    RemoveVideo: command(deps, 'remove'),
    RerunStage: ({ stage, ...request }: RerunStageRequestOut, caller) =>
      act(deps, request, caller, `rerun ${stage}`, (snapshot, context) => decideRerun(snapshot, stage, context)),
    ...lists(deps.reads),
    GetBudgets: async ({ publisherId }) => budgetsMessage(publisherId, await deps.usage(publisherId)),
    SetBudgets: (request, caller) => changePublisherBudgets(deps, request, caller),
    ListUsage: async ({ month, afterPublisherId }) => ({ publishers: await deps.listUsage(month, afterPublisherId) }),
    Reconcile: (request, call) => deps.reconcile(request, call),
  };
  return service<CatalogAdminHandlers>(catalog.CatalogAdmin.service, callers, methods, {
    // As every night's look for lost objects does, which changes nothing.
    Reconcile: ({ repair }) => !repair,
  });
}

/** A missing budget is omitted. */
function budgetsMessage(publisherId: string, { budgets, used, resetsInSeconds }: PublisherUsage) {
  const { mediaMinutes, fetchedBytes, storedBytes } = budgets;
  return {
    ...{ publisherId, used, resetsInSeconds, description: describeBudgets(budgets) },
    ...(mediaMinutes !== null && { mediaMinutes }),
    ...(fetchedBytes !== null && { fetchedBytes }),
    ...(storedBytes !== null && { storedBytes }),
  };
}

async function changePublisherBudgets(deps: Deps, request: SetBudgetsRequestOut, call: Caller) {
  const { publisherId, mediaMinutes, fetchedBytes, storedBytes, actor, reason, validateOnly } = request;
  if (publisherId === '') throw new AppError('INVALID_ARGUMENT', 'publisher_id must not be empty');
  const changes = { mediaMinutes, fetchedBytes, storedBytes };
  const by = checkBy({ actor, reason }, call);
  if (!validateOnly) await deps.setBudgets(publisherId, changes, by);
  const now = await deps.usage(publisherId);
  const budgets = validateOnly ? changeBudgets(now.budgets, changes) : now.budgets;
  return budgetsMessage(publisherId, { ...now, budgets });
}

async function show(deps: Deps, videoId: string): Promise<VideoDetails> {
  const { load, reads } = deps;
  const [loaded, work, previews = []] = await Promise.all([
    load(videoId),
    reads.work(videoId),
    deps.consider(videoId, previewActions),
  ]);
  if (!loaded) throw notFound(`video ${videoId}`);
  const { video, stages } = loaded;
  const sourceHost = sourceHostOf(video);
  return {
    video: partnerRecord(video, stages, failures),
    publisherId: video.publisherId,
    intent: video.intent,
    held: video.held,
    version: video.version,
    attempt: video.attempt,
    stages: work.stages.map(({ stage, state, attempt, progress, revision, requestedAt, startedAt, finishedAt }) => ({
      ...{ stage, state, attempt, progress, revision },
      requestedAt: requestedAt.toISOString(),
      ...(startedAt && { startedAt: startedAt.toISOString() }),
      ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    })),
    unconfirmedPurges: work.purges.map(({ owner, scope }) => `${owner} ${scope}`),
    actionPreviews: [...previews],
    ...(video.playbackId !== null && { playbackId: video.playbackId }),
    ...(sourceHost !== undefined && { sourceHost }),
  };
}

async function history({ reads }: Deps, videoId: string) {
  const found = await reads.history(videoId);
  if (!found) throw notFound(`video ${videoId}`);
  const reason = `key ${found.keyId}`;
  const created = { actor: 'partner', action: 'create', from: '', to: 'processing', reason };
  return {
    entries: [
      { at: found.createdAt.toISOString(), ...created },
      ...found.audit.map(({ at, actor, action, was: from, became: to, reason }) => ({
        at: at.toISOString(),
        ...{ actor, action, from, to, reason },
      })),
    ],
  };
}

function command(deps: Deps, type: 'retry' | 'hold' | 'release' | 'remove') {
  return (request: AdminVideoRequestOut, caller: Caller) =>
    act(deps, request, caller, type, (snapshot, context) => decideCommand(snapshot, { type }, context));
}

/** Decides in the name of the operator, and returns the video after it. */
async function act(
  deps: Deps,
  { videoId, actor, reason }: AdminVideoRequestOut,
  call: Caller,
  action: string,
  decide: Decide,
): Promise<VideoDetails> {
  const by = { ...checkBy({ actor, reason }, call), action, always: true };
  const changed = await withLogFields({ video_id: videoId }, () => deps.change(videoId, decide, by));
  if (!changed) throw notFound(`video ${videoId}`);
  const { outcome } = changed;
  if (outcome.kind === 'reject') throw new AppError(outcome.code, outcome.message);
  return show(deps, videoId);
}

function lists(reads: OperatorReads) {
  return {
    ListPublisherVideos: async ({ state, ...query }) => {
      const { rows, nextCursor } = await reads.publisherVideos({ ...query, state: stateOf(state) });
      const videos = rows.map(({ id, createdAt, updatedAt, failure, sport, ...row }) => ({
        ...row,
        ...(sport !== null && { sport }),
        videoId: id,
        state: protoState(row.state),
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
        ...(failure && { failureCode: failure.code }),
      }));
      return { videos, nextCursor };
    },
    GetDailyUse: ({ budgetIds }) => reads.dailyUse(budgetIds),
    ListAudit: async (query) => {
      const { rows, nextCursor } = await reads.audit(query);
      const entries = rows.map(({ at, id: _id, videoId, ...row }) => ({
        ...row,
        at: at.toISOString(),
        ...(videoId !== null && { videoId }),
      }));
      return { entries, nextCursor };
    },
  } satisfies Partial<Methods<CatalogAdminHandlers>>;
}

/** Undefined for the unspecified one. */
function stateOf(state: VideoStateOut): State | undefined {
  return state === 'VIDEO_STATE_UNSPECIFIED' ? undefined : (state.slice('VIDEO_STATE_'.length).toLowerCase() as State);
}
