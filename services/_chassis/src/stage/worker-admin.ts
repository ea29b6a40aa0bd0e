/** gRPC for the operator (vdsctl), on the admin port of every service with stages. Read-only. */
import { worker } from '@vds/proto';
import type { WorkerAdminHandlers } from '@vds/proto/generated/vds/common/v1/WorkerAdmin.ts';
import type { WorkerJob } from '@vds/proto/generated/vds/common/v1/WorkerJob.ts';
import { numberOfCursor, pageSizeOf } from '../database/audit.ts';
import { AppError } from '../errors.ts';
import { service, type Served } from '../rpc/rpc.ts';
import { listJobRows, type ListedJob } from '../work/list-jobs.ts';
import { describeVideos, listKnownVideos, type KeptVideos } from './known-videos.ts';

const operator = ['vdsctl'];
const MAX_IDS = 1_000;
const MAX_VIDEOS = 200;

export function workerAdmin(kept: KeptVideos): Served {
  return service<WorkerAdminHandlers>(
    worker.WorkerAdmin.service,
    { ListKnownVideos: operator, DescribeVideos: operator, ListJobs: operator },
    {
      ListKnownVideos: async ({ after, limit }) => ({
        videoIds: [...(await listKnownVideos(kept, after, limit >= 1 ? Math.min(limit, MAX_IDS) : MAX_IDS))],
      }),
      DescribeVideos: async ({ videos, objects }) => {
        if (videos.length > MAX_VIDEOS)
          throw new AppError('INVALID_ARGUMENT', `at most ${MAX_VIDEOS} videos in one request`);
        const reports = await describeVideos(kept, videos, objects);
        return {
          videos: reports.map((report) => ({
            ...report,
            ...{ stages: [...report.stages], missing: [...report.missing], unreadable: [...report.unreadable] },
          })),
        };
      },
      ListJobs: async ({ videoId, state, pageSize, cursor }) => {
        const size = pageSizeOf(pageSize);
        const afterId = numberOfCursor(cursor);
        const rows = await listJobRows(kept.pool, { videoId, state, afterId, limit: size + 1 });
        const page = rows.slice(0, size);
        return { jobs: page.map(jobMessage), nextCursor: rows.length > size ? String(page.at(-1)?.id ?? '') : '' };
      },
    },
    // Every night's look for lost objects, which changes nothing.
    { ListKnownVideos: () => true, DescribeVideos: () => true },
  );
}

function jobMessage(listed: ListedJob): WorkerJob {
  const { error, createdAt, runAfter, leaseUntil, blockedSince, blockedBy, ...more } = listed;
  const { claimedBy, startedAt, finishedAt, phases, olderReady, ...job } = more;
  return {
    ...job,
    createdAt: createdAt.toISOString(),
    ...(error !== null && { error }),
    readyAt: runAfter.toISOString(),
    ...(leaseUntil !== null && { leasedUntil: leaseUntil.toISOString() }),
    ...(blockedSince !== null && { blockedSince: blockedSince.toISOString() }),
    ...(blockedBy !== null && { blockedBy }),
    ...(claimedBy !== null && { claimedBy }),
    ...(startedAt !== null && { startedAt: startedAt.toISOString() }),
    ...(finishedAt !== null && { finishedAt: finishedAt.toISOString() }),
    phases: Object.entries(phases ?? {}).map(([name, phase]) => ({ name, ...phase })),
    ...(olderReady !== null && { olderReady }),
  };
}
