/** How jobs are read from the services with stages, and presented. */
import { stageOwners } from '@vds/proto/stages';
import type { WorkerJobOut } from '@vds/proto/generated/vds/common/v1/WorkerJob.ts';
import { messageOf } from '@vds/chassis/errors';
import { span } from '../domain/span.ts';
import { timelineOf, type TimelineRow } from '../domain/timeline.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { tableWithNotes } from './output.ts';
import { collectPages } from './verb.ts';

export type ListedJob = WorkerJobOut & { readonly service: string };
export type JobQuery = { readonly videoId: string; readonly state: string };

/** The most jobs that are read of each service for one video: a long film has about a thousand. */
const MAX_JOBS = 5_000;
/** Who asks about one video does not wait long for a service that hangs. */
const PATIENCE_MS = 5_000;
const TITLES = ['service', 'job', 'state', 'tries'];

/** @param limit how many at most */
export async function listJobs(clients: AdminClients, service: string, query: JobQuery, limit: number) {
  const { rows, more } = await collectPages(limit, async (page) => {
    const { jobs, nextCursor } = await clients.worker(service).ListJobs({ ...query, ...page });
    return { rows: jobs, nextCursor };
  });
  return { more, jobs: rows.map((job): ListedJob => ({ ...job, service })) };
}

/** Every job of a video; a service that does not answer is named with the reason. */
export async function jobsOfVideo(clients: AdminClients, videoId: string) {
  const jobs: ListedJob[] = [];
  const unreadable = new Map<string, string>();
  await Promise.all(
    stageOwners.map(async (service) => {
      try {
        const { rows } = await collectPages(MAX_JOBS, async (page) => {
          const request = { videoId, state: '', ...page };
          const reply = await clients.worker(service).ListJobs(request, { timeoutMs: PATIENCE_MS });
          return { rows: reply.jobs, nextCursor: reply.nextCursor };
        });
        jobs.push(...rows.map((job) => ({ ...job, service })));
      } catch (error) {
        unreadable.set(service, messageOf(error));
      }
    }),
  );
  return { jobs, unreadable };
}

/** The same as rows of a timeline: those of one attempt. */
export async function readTimeline(clients: AdminClients, videoId: string, attempt: number, now: Date) {
  const { jobs, unreadable } = await jobsOfVideo(clients, videoId);
  // Purges belong to no attempt, and may run much later.
  const shown = jobs.filter((job) => job.attempt === attempt && job.stage !== 'purge');
  const named = shown.map(({ claimedBy, ...job }) => ({
    ...job,
    ...(claimedBy !== undefined && { claimedBy: `${job.service} on ${holder(claimedBy)}` }),
  }));
  const timeline: readonly TimelineRow[] = timelineOf(named, now);
  return { timeline, unreadable };
}

/** One row a job, and below it what is not usual: holder, crashes, what it waits for, last error. */
export function jobTable(jobs: readonly ListedJob[], now: Date, none: string): string {
  const rows = jobs.map((job) => ({ cells: [job.videoId || '–', ...cells(job)], note: note(job, now) }));
  return tableWithNotes(['video', ...TITLES], rows, none);
}

/** The same for jobs of one video. */
export function videoJobTable(jobs: readonly ListedJob[], now: Date): string {
  return tableWithNotes(
    TITLES,
    jobs.map((job) => ({ cells: cells(job), note: note(job, now) })),
    '',
  );
}

function cells(job: ListedJob): string[] {
  return [
    job.service,
    `${job.stage}/${job.revision === 0 ? job.name : `${job.name} (revision ${job.revision})`}`,
    job.state === 'running' ? `running ${job.progress} %` : job.state,
    String(job.tries),
  ];
}

function note(job: ListedJob, now: Date): string {
  const since = (time: string): string => span(now.getTime() - Date.parse(time));
  const wait = job.state === 'ready' ? Date.parse(job.readyAt) - now.getTime() : 0;
  const waits = job.blockedBy === 'missing' ? 'a missing object' : 'a dependency';
  return [
    ...(wait > 0 ? [`next try in ${span(wait)}`] : []),
    ...(job.attempt > 1 ? [`attempt ${job.attempt}`] : []),
    ...(job.state === 'running' && job.claimedBy !== undefined ? [`held by ${holder(job.claimedBy)}`] : []),
    ...(job.state === 'running' && job.startedAt !== undefined ? [`claimed ${since(job.startedAt)} ago`] : []),
    ...(!job.olderReady || wait > 0 ? [] : [`behind ${job.olderReady} older jobs`]),
    ...(job.crashes > 0 ? [`crashes: ${job.crashes}${job.quarantined ? ', quarantined' : ''}`] : []),
    ...(job.blockedSince === undefined ? [] : [`waits for ${waits} since ${since(job.blockedSince)}`]),
    ...(job.error === undefined ? [] : [job.error]),
  ].join(' · ');
}

/** Host and process of `<host>/<process id>`. */
function holder(claimedBy: string): string {
  return claimedBy.replace('/', ' process ');
}
