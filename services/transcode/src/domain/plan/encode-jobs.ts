/** The jobs that a video's encoding is divided into, and their share of the work. */
import { holds, type ByteRange } from '../source/source-index.ts';
import { durationMs, type EncodePlan } from './encode-plan.ts';
import { rangesOf, type PieceBytes } from './piece-bytes.ts';
import { AUDIO_SAMPLE_RATE } from './sound-rate.ts';
import { usualSeconds } from './work-estimate.ts';

export type EncodeJob =
  /** Plans by what is stored of a source that is being fetched, and begins each job whose bytes have arrived. */
  | InspectHeadJob
  | ({ readonly kind: 'sound' } & Part)
  /** Joins the sound: writes its playlist. */
  | { readonly kind: 'audio' }
  /** One of the other tracks of sound, as a whole. */
  | ({ readonly kind: 'alternate' } & Part)
  /** The source's own packets as a variant. */
  | { readonly kind: 'original' }
  /** The captions inside the source. */
  | { readonly kind: 'texts' }
  | { readonly kind: 'cut' }
  | ({ readonly kind: 'piece' } & Part)
  | { readonly kind: 'assemble' };

type Part = {
  readonly index: number;
  /** Begun by a provisional plan: if it fails, it begins anew once that is confirmed. */
  readonly isProvisional?: true;
};

/** After a failure on what is stored, it only waits for the plan to be confirmed. */
export type InspectHeadJob = { readonly kind: 'inspect-head'; readonly awaitsInspection?: true };

export type PlannedJob = {
  readonly name: string;
  readonly payload: EncodeJob;
  /** Roughly the seconds of one core for one second of video; only proportions matter. */
  readonly weight: number;
};

/** The jobs that wait for no result of another: pieces may, for one worker to copy them out of the source. */
export function firstJobs(plan: EncodePlan, waitsForCut = isCut(plan)): PlannedJob[] {
  return allJobs(plan).filter(({ payload: { kind } }) => kind !== 'audio' && (kind !== 'piece' || !waitsForCut));
}

/**
 * The jobs of a confirmed plan that can start when these results are missing: the playlist of the sound is written when
 * all of that is there.
 */
export function startableJobs(plan: EncodePlan, missing: ReadonlySet<string>): PlannedJob[] {
  if (missing.size === 0) return [assembleJob()];
  const jobs = firstJobs(plan, missing.has('cut')).filter(({ name }) => missing.has(name));
  return [...jobs, ...joiningJob(plan, missing)];
}

/** The job that joins the sound, once none of that is missing. */
export function joiningJob(plan: EncodePlan, missing: ReadonlySet<string>): PlannedJob[] {
  const isMissing = soundJobs(plan).some(({ name }) => missing.has(name));
  return isMissing ? [] : audioJob(plan).filter(({ name }) => missing.has(name));
}

/**
 * The jobs of a provisional plan that can start: pieces in their order, although the end of a source is stored early, as
 * the first pictures are watched first.
 * @param stored what is stored of the source, rising, without overlaps
 */
export function arrivedJobs(plan: EncodePlan, sourceBytes: number, stored: readonly ByteRange[]): PlannedJob[] {
  const all = { from: 0, to: sourceBytes };
  const hasArrived = ({ payload }: PlannedJob): boolean => {
    const bytes = bytesOf(plan, payload);
    if (isOfRest(plan, payload)) return false;
    return (bytes ? rangesOf(bytes, plan.headers ?? []) : [all]).every((range) => holds(stored, range));
  };
  const pieces = pieceJobs(plan);
  const missing = pieces.findIndex((piece) => !hasArrived(piece));
  const later = new Set(missing < 0 ? [] : pieces.slice(missing).map(({ name }) => name));
  return firstJobs(plan).filter((job) => hasArrived(job) && !later.has(job.name));
}

/** Whether a job of a plan that was made from the beginning alone depends on what was not known: it waits for that. */
export function isOfRest(plan: EncodePlan, job: EncodeJob): boolean {
  return plan.known !== undefined && bytesOf(plan, job) === undefined;
}

function bytesOf({ pieces, sound }: EncodePlan, job: EncodeJob): PieceBytes | undefined {
  if (job.kind === 'sound') return sound[job.index]?.part?.bytes;
  return job.kind === 'piece' ? pieces[job.index]?.bytes : undefined;
}

function isCut({ pieces, headers }: EncodePlan): boolean {
  return pieces.length > 1 && headers === undefined;
}

/** The jobs that must end before the video can be assembled. */
export function allJobs(plan: EncodePlan): PlannedJob[] {
  return [
    ...soundJobs(plan),
    ...audioJob(plan),
    ...textsJob(plan),
    ...cutJob(plan),
    ...pieceJobs(plan),
    ...alternateJobs(plan),
    ...originalJob(plan),
  ];
}

export function soundJobs({ sound }: EncodePlan): PlannedJob[] {
  return sound.map(({ index, from, until, part }) => ({
    name: part ? `sound-${index}` : 'sound',
    payload: { kind: 'sound', index },
    weight: ((until - from) / AUDIO_SAMPLE_RATE) * 0.05,
  }));
}

export function audioJob({ sound: [first] }: EncodePlan): PlannedJob[] {
  // Two names, as a job that has ended is not begun again.
  return first ? [{ name: first.part ? 'audio-joined' : 'audio', payload: { kind: 'audio' }, weight: 0 }] : [];
}

function alternateJobs(plan: EncodePlan): PlannedJob[] {
  return (plan.probe.alternates ?? []).map((_track, index) => ({
    name: `alternate-${index}`,
    payload: { kind: 'alternate', index },
    weight: seconds(plan) * 0.05,
  }));
}

/** Whether captions may be made from what the source holds: then they wait for that. */
export function hasTexts({ probe: { texts = [], video } }: EncodePlan): boolean {
  return texts.length > 0 || video.closedCaptions;
}

function textsJob(plan: EncodePlan): PlannedJob[] {
  return hasTexts(plan) ? [{ name: 'texts', payload: { kind: 'texts' }, weight: seconds(plan) * 0.02 }] : [];
}

function originalJob(plan: EncodePlan): PlannedJob[] {
  return plan.original ? [{ name: 'original', payload: { kind: 'original' }, weight: seconds(plan) * 0.02 }] : [];
}

function cutJob(plan: EncodePlan): PlannedJob[] {
  return isCut(plan) ? [{ name: 'cut', payload: { kind: 'cut' }, weight: seconds(plan) * 0.03 }] : [];
}

/** The job of the only piece is named `whole` if the video was first cut and its pieces could not be joined. */
export function pieceJobs(plan: EncodePlan, replanned = false): PlannedJob[] {
  return plan.pieces.map(({ index, from, until }) => ({
    name: replanned ? 'whole' : `piece-${index}`,
    payload: { kind: 'piece', index },
    weight: until - (from ?? 0),
  }));
}

export function assembleJob(replanned = false): PlannedJob {
  return { name: replanned ? 'assemble-whole' : 'assemble', payload: { kind: 'assemble' }, weight: 0 };
}

/**
 * Adds the costs that order jobs: of one publisher's videos the one with the least work goes first, and within a video
 * jobs that others wait for, then pieces from the beginning on: what is finished there can be played.
 */
export function withCosts(jobs: readonly PlannedJob[], plan: EncodePlan) {
  const usual = usualSeconds(plan);
  return jobs.map(({ name, payload, weight }) => ({
    name,
    payload,
    cost:
      payload.kind === 'piece'
        ? usual * (1 + payload.index / 1_000_000)
        : Math.min(weight, usual / 2) * (1 + ('index' in payload ? payload.index / 1_000_000 : 0)),
  }));
}

function seconds(plan: EncodePlan): number {
  return durationMs(plan.timeline) / 1_000;
}
