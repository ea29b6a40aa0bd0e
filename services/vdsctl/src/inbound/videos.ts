/** How a video is presented: one screen that says where it is, and what it waits for. */
import { stages as allStages } from '@vds/proto/stages';
import type { FailureOut } from '@vds/proto/generated/vds/catalog/v1/Failure.ts';
import type { VideoDetailsOut } from '@vds/proto/generated/vds/catalog/v1/VideoDetails.ts';
import { span } from '../domain/span.ts';
import { isOpen, whyLate, type StageState } from '../domain/why-late.ts';
import { videoJobTable, type ListedJob } from './jobs.ts';
import { renditionFacts, type Renditions } from './renditions.ts';
import { facts, table } from './output.ts';
import type { Output } from './verb.ts';

/** The jobs of a video, as far as they could be read. */
export type Jobs = { readonly jobs: readonly ListedJob[]; readonly unreadable: ReadonlyMap<string, string> };

/** What only the workers know. */
type Asked = { readonly jobs: Jobs; readonly renditions: Renditions };

/** So many open jobs fit on a screen; `jobs show` lists all. */
const MAX_JOBS = 5;

const owners = new Map<string, string>(Object.entries(allStages).map(([stage, { owner }]) => [stage, owner]));

export function videoOutput(details: VideoDetailsOut, asked?: Asked, now = new Date()): Output {
  const { jobs, renditions } = asked ?? {};
  const video = { ...details.video, state: stateOf(details.video?.state) };
  const hasEnded = video.state === 'failed' || video.state === 'deleted';
  const why = jobs && !hasEnded ? whyOf(details, jobs, now) : [];
  return {
    json: {
      ...{ ...details, video },
      ...(jobs && { why, jobs: jobs.jobs, unreadable: Object.fromEntries(jobs.unreadable) }),
      ...renditions,
    },
    text: [
      describe(details, why, now, renditions),
      stageTable(details, now),
      ...(jobs ? openJobs(jobs, now) : []),
    ].join('\n\n'),
    settled: hasEnded || (video.state !== 'processing' && !details.stages.some(isOpen)),
  };
}

/** `ready` of `VIDEO_STATE_READY`. */
export function stateOf(state = ''): string {
  return state.replace('VIDEO_STATE_', '').toLowerCase();
}

function whyOf({ video, stages, sourceHost }: VideoDetailsOut, jobs: Jobs, now: Date): readonly string[] {
  const withOwners = stages.map((stage): StageState => ({ ...stage, owner: owners.get(stage.stage) ?? stage.stage }));
  const processing = stateOf(video?.state) === 'processing';
  return whyLate({ ...jobs, processing, stages: withOwners, sourceHost, now });
}

function describe(details: VideoDetailsOut, why: readonly string[], now: Date, renditions?: Renditions): string {
  const { video } = details;
  const state = stateOf(video?.state);
  const age = span(now.getTime() - Date.parse(video?.createdAt ?? ''));
  return facts([
    ['video', video?.id],
    ['title', video?.title],
    ['state', details.held ? `${state}, held by the operator` : state],
    ...why.map((sentence) => ['waits', sentence] as const),
    ['publisher', details.publisherId],
    ['source host', details.sourceHost],
    ['intent', details.intent],
    ['attempt', `${details.attempt}, version ${details.version}`],
    ['progress', video?.progress === undefined ? undefined : `${video.progress} %, for ${age}`],
    ['duration (s)', video?.durationSeconds],
    ['playback id', details.playbackId],
    ['created', video?.createdAt],
    ['updated', video?.updatedAt],
    ['failure', video?.failure ? failureLine(video.failure) : undefined],
    ['warnings', video?.sourceWarnings.map(({ code }) => code).join(' ') || undefined],
    ...(renditions ? renditionFacts(renditions) : []),
    ['unconfirmed purges', details.unconfirmedPurges.join(', ') || undefined],
  ]);
}

function failureLine({ code, stage, message, details }: FailureOut): string {
  const known = Object.entries(details).map(([name, value]) => ` (${name} ${value})`);
  return `${code} in ${stage}${known.join('')}: ${message}`;
}

function stageTable({ stages }: VideoDetailsOut, now: Date): string {
  const rows = stages.map((stage) => [
    stage.stage,
    stage.state,
    String(stage.attempt),
    `${stage.progress} %`,
    stage.startedAt ?? '–',
    stage.startedAt === undefined ? '–' : span(timeOf(stage.finishedAt, now) - timeOf(stage.startedAt, now)),
  ]);
  const titles = ['stage', 'state', 'attempt', 'progress', 'started', 'for'];
  return table(titles, rows, 'No stage was requested yet.');
}

function timeOf(time: string | undefined, now: Date): number {
  return time === undefined ? now.getTime() : Date.parse(time);
}

/** The jobs that are not done, without purges, which are listed above: those that run, those that wait, those that failed. */
function openJobs({ jobs }: Jobs, now: Date): string[] {
  const inState = (state: string) => jobs.filter((job) => job.state === state && job.stage !== 'purge');
  const open = [...inState('running'), ...inState('ready'), ...inState('failed')];
  if (open.length === 0) return [];
  const rest = open.length - MAX_JOBS;
  const shown = videoJobTable(open.slice(0, MAX_JOBS), now);
  return [rest > 0 ? `${shown}\n… and ${rest} more: vdsctl jobs show ${open[0]?.videoId ?? ''}` : shown];
}
