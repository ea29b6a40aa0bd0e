/** `Reconcile` of the admin RPC: compares owners' reports with catalog's videos, and repairs. */
import type { Finding as FindingMessage } from '@vds/proto/generated/vds/catalog/v1/Finding.ts';
import type { OwnerReportOut } from '@vds/proto/generated/vds/catalog/v1/OwnerReport.ts';
import type { ReconcileReply } from '@vds/proto/generated/vds/catalog/v1/ReconcileReply.ts';
import type { ReconcileRequestOut } from '@vds/proto/generated/vds/catalog/v1/ReconcileRequest.ts';
import type { ReportedVideoOut } from '@vds/proto/generated/vds/catalog/v1/ReportedVideo.ts';
import { checkBy } from '@vds/chassis/database/audit';
import type { Pool } from '@vds/chassis/database/database';
import type { Call } from '@vds/chassis/rpc/rpc';
import { AppError } from '@vds/chassis/errors';
import { attemptOf } from '@vds/chassis/objects/keys';
import { withLogFields } from '@vds/chassis/telemetry/log';
import { reject } from '../domain/commands.ts';
import {
  compareVideo,
  decideRepair,
  type CompareOptions,
  type Finding,
  type Known,
  type OwnerReport,
  type Repair,
} from '../domain/reconcile.ts';
import { loadKnown, makeStageDue, purgeAgain, purgeUnknown } from '../outbound/reconcile-rows.ts';
import type { Decide, VideoStore } from '../outbound/video-store.ts';
import type { By } from '../outbound/audit-rows.ts';

export type Deps = {
  readonly pool: Pool;
  readonly change: VideoStore['change'];
  /** Publishes at once what was committed. */
  readonly notify: () => void;
};

const MAX_VIDEOS = 200;

type Compared = { readonly findings: readonly FindingMessage[]; readonly isChanged: boolean };

/**
 * @returns every finding, `repaired` if its repair was carried out; and the videos that have changed since the services
 * were asked, for which the reports are outdated
 */
export async function reconcile(
  deps: Deps,
  { videos, repair, repairUnreadable, actor, reason }: ReconcileRequestOut,
  call: Pick<Call, 'caller' | 'staff'>,
): Promise<ReconcileReply> {
  if (videos.length > MAX_VIDEOS) throw new AppError('INVALID_ARGUMENT', `at most ${MAX_VIDEOS} videos in one request`);
  const by = repair ? { ...checkBy({ actor, reason }, call), action: 'reconcile', always: true } : undefined;
  const findings: FindingMessage[] = [];
  const changedVideoIds: string[] = [];
  for (const reported of videos) {
    const { videoId } = reported;
    const compared = await withLogFields({ video_id: videoId }, () =>
      reconcileVideo(deps, reported, by, { repairUnreadable }),
    );
    findings.push(...compared.findings);
    if (compared.isChanged) changedVideoIds.push(videoId);
  }
  return { findings, changedVideoIds };
}

async function reconcileVideo(
  deps: Deps,
  { videoId, owners, index, version }: ReportedVideoOut,
  by: By | undefined,
  options: CompareOptions,
): Promise<Compared> {
  const known = await loadKnown(deps.pool, videoId);
  if (version !== (known?.video.version ?? 0)) return { findings: [], isChanged: true };
  const reports = { owners: owners.flatMap(ownerReport), index: index ?? undefined };
  const found = compareVideo(known, reports, options);
  const repaired = by ? await applyRepairs(deps, { videoId, known, found, by }) : new Set();
  const findings = found.map((finding) => ({
    ...{ kind: finding.kind, owner: finding.owner, detail: finding.detail, videoId },
    repair: finding.repair ? describe(finding.repair) : '',
    repaired: repaired.has(finding),
  }));
  return { findings, isChanged: false };
}

function ownerReport({ owner, report }: OwnerReportOut): OwnerReport[] {
  if (!report) return [];
  const missing = report.missing.map((key) => ({ key, attempt: attemptOf(key) }));
  const unreadable = report.unreadable.map((document) => ({ ...document, attempt: attemptOf(document.key) }));
  return [{ ...report, owner, missing, unreadable }];
}

function describe(repair: Repair): string {
  if (repair.type === 'purge') return `purge at ${repair.owner}`;
  if (repair.type === 'delete') return 'delete';
  if (repair.type === 'reprocess') return 'new attempt';
  if (repair.type === 'raise-version') return 'index again';
  if (repair.type === 'end') return `end ${repair.stage}`;
  return repair.type === 'rerun' ? `run ${repair.stage} again` : `request ${repair.stage} again`;
}

/** @returns the findings that were repaired: not those without a repair, nor any once the video has changed otherwise */
async function applyRepairs(
  { pool, change, notify }: Deps,
  { videoId, known, found, by }: { videoId: string; known: Known | undefined; found: readonly Finding[]; by: By },
): Promise<ReadonlySet<Finding>> {
  const repaired = new Set<Finding>();
  let version = known?.video.version;
  for (const finding of found) {
    const { repair } = finding;
    if (!repair) continue;
    if (repair.type === 'purge') {
      await (known ? purgeAgain : purgeUnknown)(pool, videoId, repair.owner);
      notify();
    } else {
      const decide: Decide = (snapshot, context) =>
        snapshot.video.version === version
          ? decideRepair(snapshot, repair, context)
          : reject('This video has changed.');
      const changed = await change(videoId, decide, by);
      if (!changed || changed.outcome.kind === 'reject') break;
      if (changed.outcome.kind === 'plan') version = changed.outcome.video.version;
      if (repair.type === 'request' || repair.type === 'rerun') await makeStageDue(pool, videoId, repair.stage);
    }
    repaired.add(finding);
  }
  return repaired;
}
