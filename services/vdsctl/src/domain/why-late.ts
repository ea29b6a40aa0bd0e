/** Why a video is not final yet: one sentence for each open stage, from catalog's view of it and its owner's jobs. */
import { span } from './span.ts';

/** A stage of the video; times are RFC 3339. */
export type StageState = {
  readonly stage: string;
  readonly attempt: number;
  /** requested or started: it is open; completed, failed or closed: it has ended. */
  readonly state: string;
  /** The service whose jobs it consists of. */
  readonly owner: string;
  readonly requestedAt?: string | undefined;
};

export type JobState = {
  readonly stage: string;
  readonly attempt: number;
  readonly state: string;
  readonly tries: number;
  readonly error?: string | undefined;
  /** Since or from when it may be claimed. */
  readonly readyAt: string;
  readonly blockedSince?: string | undefined;
  readonly blockedBy?: string | undefined;
  readonly olderReady?: number | undefined;
};

export type Facts = {
  readonly processing: boolean;
  readonly stages: readonly StageState[];
  readonly jobs: readonly JobState[];
  /** Services whose jobs could not be read → why. */
  readonly unreadable: ReadonlyMap<string, string>;
  readonly sourceHost?: string | undefined;
  readonly now: Date;
};

/** @returns nothing where nothing is awaited */
export function whyLate(facts: Facts): readonly string[] {
  const open = facts.stages.filter(isOpen);
  if (open.length > 0) return open.map((stage) => whyOpen(stage, facts));
  return facts.processing ? ['no stage is open: catalog is about to request the next one, or to end the video'] : [];
}

export function isOpen({ state }: Pick<StageState, 'state'>): boolean {
  return state === 'requested' || state === 'started';
}

/** Of the reasons that its jobs may have, the first that applies; the others are in the list of jobs. */
function whyOpen({ stage, attempt, owner, requestedAt }: StageState, facts: Facts): string {
  const { jobs, unreadable, now } = facts;
  const reason = unreadable.get(owner);
  if (reason !== undefined) return `${stage}: the jobs of ${owner} are unknown: ${reason}`;
  const own = jobs.filter((job) => job.stage === stage && job.attempt === attempt);
  const [ready, running] = ['ready', 'running'].map((state) => own.filter((job) => job.state === state)) as [
    JobState[],
    JobState[],
  ];
  const ago = requestedAt === undefined ? '' : ` ${span(now.getTime() - Date.parse(requestedAt))} ago`;
  if (own.length === 0) return `${stage} was requested${ago}, and ${owner} has no job of it yet`;
  if (ready.length + running.length === 0) return `${stage}: its jobs have ended; catalog awaits the result`;
  return (
    blocked(stage, ready, now) ??
    retrying(stage, ready, facts) ??
    progressing(stage, own, running) ??
    queued(stage, owner, ready)
  );
}

function blocked(stage: string, ready: readonly JobState[], now: Date): string | undefined {
  const job = ready.find(({ blockedSince }) => blockedSince !== undefined);
  if (job?.blockedSince === undefined) return undefined;
  const what = job.blockedBy === 'missing' ? 'an object that is missing' : 'a dependency that is unavailable';
  return `${stage} waits for ${what}, since ${span(now.getTime() - Date.parse(job.blockedSince))}${because(job)}`;
}

function retrying(stage: string, ready: readonly JobState[], { now, sourceHost }: Facts): string | undefined {
  const job = ready.find(({ readyAt, error }) => error !== undefined && Date.parse(readyAt) > now.getTime());
  if (!job) return undefined;
  const where = stage === 'fetch' && sourceHost !== undefined ? ` of ${sourceHost}` : '';
  return `${stage}${where} is tried again in ${span(Date.parse(job.readyAt) - now.getTime())}${because(job)}`;
}

function because({ error }: JobState): string {
  return error === undefined ? '' : `: ${error}`;
}

function progressing(stage: string, all: readonly JobState[], running: readonly JobState[]): string | undefined {
  if (running.length === 0) return undefined;
  const done = all.filter(({ state }) => state === 'done').length;
  return `${stage} is running: ${done} of ${all.length} jobs done, ${running.length} running`;
}

function queued(stage: string, owner: string, ready: readonly JobState[]): string {
  const older = Math.min(...ready.map(({ olderReady }) => olderReady ?? 0));
  const others = older === 0 ? 'no older job waits' : `${older} older ${older === 1 ? 'job waits' : 'jobs wait'}`;
  return `${stage} waits for a free slot of ${owner}: ${others} in its queue`;
}
