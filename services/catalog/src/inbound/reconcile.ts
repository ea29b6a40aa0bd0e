/** `Reconcile` of the admin RPC: compares what owners report with catalog's videos, and repairs. */
import type { Finding as FindingMessage } from '@vds/proto/generated/vds/catalog/v1/Finding.ts';
import type { OwnerReportOut } from '@vds/proto/generated/vds/catalog/v1/OwnerReport.ts';
import type { ReconcileRequestOut } from '@vds/proto/generated/vds/catalog/v1/ReconcileRequest.ts';
import type { ReportedVideoOut } from '@vds/proto/generated/vds/catalog/v1/ReportedVideo.ts';
import { checkBy } from '@vds/chassis/database/audit';
import type { Pool } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { attemptOf } from '@vds/chassis/objects/keys';
import { withLogFields } from '@vds/chassis/telemetry/log';
import { compareVideo, decideRepair, type Finding, type OwnerReport, type Repair } from '../domain/reconcile.ts';
import { loadKnown, makeStageDue, purgeAgain, purgeUnknown } from '../outbound/reconcile-rows.ts';
import type { VideoStore } from '../outbound/video-store.ts';
import type { By } from '../outbound/write-plan.ts';

export type Deps = {
  readonly pool: Pool;
  readonly change: VideoStore['change'];
  /** Publishes what was committed at once. */
  readonly notify: () => void;
};

const mostVideos = 200;

/** @returns every finding; `repaired` where its repair was carried out */
export async function reconcile(
  deps: Deps,
  { videos, repair, actor, reason }: ReconcileRequestOut,
  caller: string,
): Promise<FindingMessage[]> {
  if (videos.length > mostVideos) throw new AppError('INVALID_ARGUMENT', `at most ${mostVideos} videos in one request`);
  const by = repair ? { ...checkBy({ actor, reason }, caller), action: 'reconcile', always: true } : undefined;
  const found: FindingMessage[] = [];
  for (const reported of videos)
    found.push(...(await withLogFields({ video_id: reported.videoId }, () => reconcileVideo(deps, reported, by))));
  return found;
}

async function reconcileVideo(
  deps: Deps,
  { videoId, owners, index }: ReportedVideoOut,
  by: By | undefined,
): Promise<FindingMessage[]> {
  const known = await loadKnown(deps.pool, videoId);
  const reports = { owners: owners.flatMap(ownerReport), index: index ?? undefined };
  const messages: FindingMessage[] = [];
  for (const finding of compareVideo(known, reports)) {
    const repaired = by !== undefined && (await applyRepair(deps, videoId, known !== undefined, finding, by));
    const { kind, owner, detail, repair } = finding;
    messages.push({ kind, owner, detail, videoId, repair: repair ? describe(repair) : '', repaired });
  }
  return messages;
}

function ownerReport({ owner, report }: OwnerReportOut): OwnerReport[] {
  if (!report) return [];
  return [{ ...report, owner, missing: report.missing.map((key) => ({ key, attempt: attemptOf(key) })) }];
}

function describe(repair: Repair): string {
  if (repair.type === 'purge') return `purge at ${repair.owner}`;
  if (repair.type === 'delete') return 'delete';
  if (repair.type === 'reprocess') return 'new attempt';
  if (repair.type === 'raise-version') return 'index again';
  return repair.type === 'rerun' ? `run ${repair.stage} again` : `request ${repair.stage} again`;
}

/** @returns false where there is no repair, or the video has changed so that it does not apply any more */
async function applyRepair(
  { pool, change, notify }: Deps,
  videoId: string,
  isKnown: boolean,
  { repair }: Finding,
  by: By,
): Promise<boolean> {
  if (!repair) return false;
  if (repair.type === 'purge') {
    await (isKnown ? purgeAgain : purgeUnknown)(pool, videoId, repair.owner);
    notify();
    return true;
  }
  // A finished video is lost first; the retry of what has failed is a decision of its own.
  for (let step = repair.type === 'reprocess' ? 0 : 1; step < 2; step++) {
    const changed = await change(videoId, (snapshot, context) => decideRepair(snapshot, repair, context), by);
    if (!changed || changed.outcome.kind === 'reject') return false;
  }
  if (repair.type === 'request' || repair.type === 'rerun') await makeStageDue(pool, videoId, repair.stage);
  return true;
}
